"""LiteLLM as a proxy in front of a Quarry. The arguments: the file with its configuration, and its port."""
import os
import subprocess
import sys
import uuid
from pathlib import Path

import openai

config, port = sys.argv[1:]
program = Path(sys.executable).with_name("litellm")
# Its list of prices would be fetched otherwise.
key = f"sk-{uuid.uuid4()}"
environment = {
    **os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MASTER_KEY": key, "PYTHONUNBUFFERED": "1",
}
command = [program, "--config", config, "--host", "127.0.0.1", "--port", port, "--telemetry", "False"]
proxy = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
told = []


def started():
    for line in proxy.stdout:
        told.append(line)
        if "Uvicorn running" in line:
            return
    raise AssertionError("it ended: " + "".join(told))


def use(client):
    messages = [{"role": "user", "content": "What is six times seven?"}]
    whole = client.chat.completions.create(model="quarry", messages=messages)
    answer = whole.choices[0].message.content
    assert "31.2 percent" in answer and whole.choices[0].finish_reason == "stop", whole
    assert whole.usage.total_tokens > 0, whole

    text, thoughts, usage = "", "", None
    options = {"include_usage": True}
    stream = client.chat.completions.create(model="quarry", messages=messages, stream=True, stream_options=options)
    for chunk in stream:
        for choice in chunk.choices:
            text += choice.delta.content or ""
            thoughts += getattr(choice.delta, "reasoning_content", None) or ""
        usage = chunk.usage or usage
    assert text == answer and usage.total_tokens > 0, text
    assert "Planning the research" in thoughts, thoughts
    assert [model.id for model in client.models.list()] == ["quarry"]

    response = client.responses.create(model="quarry", input="What is six times seven?")
    assert response.output_text == answer, response
    events = list(client.responses.create(model="quarry", input="What is six times seven?", stream=True))
    assert events[-1].type == "response.completed", events[-1]


try:
    started()
    # What it tells further must not fill the pipe.
    proxy_output = subprocess.Popen(["cat"], stdin=proxy.stdout, stdout=subprocess.DEVNULL)
    use(openai.OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key=key, max_retries=0, timeout=60))
finally:
    proxy.terminate()
    proxy.wait()
print("LiteLLM")
