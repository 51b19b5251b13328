"""The models that are generated from the Open Responses schema, against a Quarry whose address is the argument."""
import enum
import json
import sys
import urllib.request

import openresponses_types as spec
from openresponses_types import types as models
from pydantic import ValidationError

URL = sys.argv[1] + "/v1/responses"

# What OpenAI calls its own tools, which the schema's closed union does not have: the declared failures.
OPENAI_ITEMS = {"web_search_call", "code_interpreter_call"}
OPENAI_EVENTS = ("response.web_search_call.", "response.code_interpreter_call")


def kind(model):
    """The one value that an event's `type` may have."""
    values = model.model_fields["type"].annotation
    return next(iter(values)).value if issubclass(values, enum.Enum) else None


EVENTS = {
    kind(model): model
    for name, model in vars(models).items()
    if name.endswith("StreamingEvent")
}
assert len(EVENTS) > 20 and None not in EVENTS, EVENTS


def post(**asked):
    request = urllib.request.Request(URL, json.dumps(asked).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


def whole(**asked):
    """A response that the schema takes."""
    return models.ResponseResource.model_validate_json(post(**asked))


def frames(**asked):
    lines = post(**asked, stream=True).splitlines()
    frames = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    assert frames.pop() == "[DONE]"
    return [json.loads(frame) for frame in frames]


def streamed(**asked):
    """Frames that the schema takes, each by the model of its own type."""
    read = [EVENTS[frame["type"]].model_validate(frame) for frame in frames(**asked)]
    assert [event.sequence_number for event in read] == list(range(len(read)))
    return read


def text(response):
    [message] = [item for item in response.output if item.type == "message"]
    return message, "".join(part.text for part in message.content)


asked = {"model": "quarry-direct", "input": "What is six times seven?"}
basic = whole(**asked)
message, words = text(basic)
assert basic.status == "completed" and words and message.role == "assistant", basic

events = streamed(**asked)
kinds = [event.type.value for event in events]
assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
assert "response.output_text.delta" in kinds and text(events[-1].response)[1] == words, kinds

for role in ("system", "developer"):
    spoken = [
        {"type": "message", "role": role, "content": "Answer in one sentence."},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": asked["input"]}]},
    ]
    assert text(whole(model="quarry-direct", input=spoken))[1]
assert whole(**asked, instructions="Answer in one sentence.").instructions == "Answer in one sentence."

# A conversation that is sent again, and one that is named; what came back is sent as it came, with its phase.
back = message.model_dump(mode="json", exclude_none=True)
assert back["phase"] == "final_answer", back
turns = [
    {"type": "message", "role": "user", "content": asked["input"]},
    back,
    {"type": "message", "role": "user", "content": "And eight?"},
]
assert text(whole(model="quarry-direct", input=turns))[1]
aside = {"type": "message", "role": "assistant", "phase": "commentary", "content": "Let me multiply."}
assert text(whole(model="quarry-direct", input=turns[:1] + [aside] + turns[2:]))[1]
following = whole(model="quarry-direct", input="And eight?", previous_response_id=basic.id)
assert following.previous_response_id == basic.id

# With tools, only what has OpenAI's own names is foreign to the schema.
def without(response):
    return response | {"output": [item for item in response["output"] if item["type"] not in OPENAI_ITEMS]}


researched = json.loads(post(model="quarry", input=asked["input"]))
try:
    models.ResponseResource.model_validate(researched)
    raise AssertionError("the schema takes OpenAI's items now: take them out of the declared failures")
except ValidationError:
    assert without(researched) != researched, researched
models.ResponseResource.model_validate(without(researched))
for frame in frames(model="quarry", input=asked["input"]):
    if "response" in frame:
        frame = frame | {"response": without(frame["response"])}
    if frame["type"].startswith(OPENAI_EVENTS) or frame.get("item", {}).get("type") in OPENAI_ITEMS:
        continue
    EVENTS[frame["type"]].model_validate(frame)
print("open responses", spec.__spec_version__)
