"""OpenAI's own Python client for responses against a Quarry whose address is the argument."""
import sys
import time

import openai

client = openai.OpenAI(base_url=sys.argv[1] + "/v1", api_key="none", max_retries=0)
asked = {"model": "quarry", "input": "What is six times seven?"}

whole = client.responses.create(**asked)
openai.types.responses.Response.model_validate(whole.to_dict())
assert whole.status == "completed" and "31.2 percent" in whole.output_text, whole
assert whole.usage.total_tokens > 0 and whole._request_id.startswith("req_")
kinds = [item.type for item in whole.output]
assert "reasoning" in kinds and "code_interpreter_call" in kinds and kinds[-1] == "message", kinds
assert client.responses.retrieve(whole.id) == whole

events = list(client.responses.create(**asked, stream=True))
assert [event.sequence_number for event in events] == list(range(len(events)))
made = events[0].response.id
assert events[-1].type == "response.completed" and events[-1].response.output_text == whole.output_text
for at in (0, 3, len(events) - 2):
    rest = list(client.responses.retrieve(made, stream=True, starting_after=at))
    assert rest == events[at + 1:], at

with client.responses.stream(**asked) as stream:
    for event in stream:
        pass
    final = stream.get_final_response()
assert final.output_text == whole.output_text
with client.responses.stream(response_id=made, starting_after=5) as stream:
    numbers = [event.sequence_number for event in stream]
assert numbers == list(range(6, len(events))), numbers

later = client.responses.create(**asked, background=True)
assert later.status in ("queued", "in_progress"), later.status
while later.status in ("queued", "in_progress"):
    time.sleep(0.05)
    later = client.responses.retrieve(later.id)
assert later.status == "completed" and later.output_text == whole.output_text
assert client.responses.cancel(later.id) == client.responses.cancel(later.id) == later

# Functions are never called, and shown again as they were sent.
function = {"type": "function", "name": "multiply", "description": "Multiplies.", "parameters": {"type": "object"}, "strict": True}
allowed = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "multiply"}]}
told = client.responses.create(**asked, tools=[function], tool_choice=allowed)
assert told.output_text == whole.output_text and told.tools[0].to_dict() == function, told.tools

# A strict reader finds all that the protocol has of each tool.
named = [{"type": "web_search"}, {"type": "file_search", "vector_store_ids": ["vs_1"]}, {"type": "code_interpreter", "container": {"type": "auto"}}]
told = client.responses.create(**asked, tools=named)
assert [tool["type"] for tool in told.to_dict()["tools"]] == [tool["type"] for tool in named], told.tools
openai.types.responses.Response.model_validate(told.to_dict())

# As Azure's documents have it.
azure = openai.OpenAI(base_url=sys.argv[1] + "/openai/v1/", api_key="none", default_query={"api-version": "preview"})
assert azure.responses.retrieve(whole.id) == whole

following = client.responses.create(model="quarry", input="And eight?", previous_response_id=whole.id)
items = list(client.responses.input_items.list(following.id, order="asc", limit=2))
assert [item.role for item in items] == ["user", "assistant", "user"], items


def fails(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError("it did not fail")


unkept = client.responses.create(**asked, store=False)
assert fails(openai.NotFoundError, lambda: client.responses.retrieve(unkept.id)).code == "response_not_found"
follow = lambda: client.responses.create(**asked, previous_response_id=unkept.id)
assert fails(openai.BadRequestError, follow).code == "previous_response_not_found"
client.responses.delete(whole.id)
fails(openai.NotFoundError, lambda: client.responses.retrieve(whole.id))
print("openai responses", openai.__version__)
