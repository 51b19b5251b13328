"""OpenAI's own Python client against a Quarry whose address is the argument."""
import sys

import openai

client = openai.OpenAI(base_url=sys.argv[1] + "/v1", api_key="none", max_retries=0)
messages = [{"role": "user", "content": "What is six times seven?"}]

whole = client.chat.completions.create(model="quarry", messages=messages)
assert "31.2 percent" in whole.choices[0].message.content, whole
assert whole.choices[0].finish_reason == "stop" and whole.usage.total_tokens > 0
assert whole._request_id.startswith("req_")

text, usage = "", None
options = {"include_usage": True}
for chunk in client.chat.completions.create(model="quarry", messages=messages, stream=True, stream_options=options):
    text += "".join(choice.delta.content or "" for choice in chunk.choices)
    usage = chunk.usage or usage
assert text == whole.choices[0].message.content and usage.total_tokens > 0, text

with client.chat.completions.stream(model="quarry", messages=messages) as stream:
    for event in stream:
        pass
    last = stream.get_final_completion()
assert last.choices[0].message.content == text and last.choices[0].finish_reason == "stop"

extension = {"quarry": {"progress": "think", "max_iterations": 1}}
thinking = client.chat.completions.create(model="quarry", messages=messages, extra_body=extension)
assert thinking.choices[0].message.content.startswith("<think>")

assert [model.id for model in client.models.list()][:2] == ["quarry", "quarry-direct"]
assert client.models.retrieve("openai:scripted").id == "openai:scripted"


def fails(kind, **request):
    try:
        client.chat.completions.create(**{"model": "quarry", "messages": messages, **request})
    except kind as error:
        return error
    raise AssertionError(f"{request} did not fail")


assert fails(openai.NotFoundError, model="gpt-4o").code == "model_not_found"
assert fails(openai.BadRequestError, n=2).param == "n"
json = {"type": "json_object"}
assert fails(openai.BadRequestError, model="local:extractive", response_format=json).param == "response_format"
print("openai", openai.__version__)
