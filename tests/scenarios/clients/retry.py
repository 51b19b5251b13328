"""One request by OpenAI's own Python client, with the retries that it makes by itself. The arguments: the address, the
door (`chat` or `responses`), and `whole` or `stream`."""
import sys

import openai

url, door, manner = sys.argv[1:]
client = openai.OpenAI(base_url=url + "/v1", api_key="none")
question = "What is six times seven?"


def streamed(stream, last):
    with stream as events:
        for _ in events:
            pass
        return last(events)


if door == "responses":
    asked = {"model": "quarry", "input": question}
    if manner == "stream":
        answer = streamed(client.responses.stream(**asked), lambda events: events.get_final_response())
    else:
        answer = client.responses.create(**asked)
    print(answer.output_text)
else:
    asked = {"model": "quarry", "messages": [{"role": "user", "content": question}]}
    if manner == "stream":
        answer = streamed(client.chat.completions.stream(**asked), lambda events: events.get_final_completion())
    else:
        answer = client.chat.completions.create(**asked)
    print(answer.choices[0].message.content)
