"""Asks with the official Python clients at each door of theirs and prints all that they are told. The arguments: the
address, the access secret, and a key of the caller's own."""
import asyncio
import sys

import openai
from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

url, secret, own = sys.argv[1:]
headers = {"X-Provider-Key": own}
client = openai.OpenAI(base_url=url + "/v1", api_key=secret, max_retries=0, default_headers=headers)
question = "What is six times seven?"
messages = [{"role": "user", "content": question}]


def show(told):
    print(told.model_dump_json() if hasattr(told, "model_dump_json") else repr(told))


def tried(call):
    try:
        told = call()
        for one in told if hasattr(told, "__iter__") and not hasattr(told, "model_dump_json") else [told]:
            show(one)
    except openai.OpenAIError as error:
        show((str(error), getattr(error, "body", None)))


chat, responses = client.chat.completions, client.responses
tried(lambda: chat.create(model="quarry", messages=messages))
tried(lambda: chat.create(model="quarry", messages=messages, stream=True))
tried(lambda: responses.create(model="quarry", input=question))
tried(lambda: responses.create(model="quarry", input=question, stream=True))
later = responses.create(model="quarry", input=question, background=True)
show(later)
tried(lambda: responses.retrieve(later.id, stream=True))
tried(lambda: responses.retrieve(later.id))
tried(lambda: responses.input_items.list(later.id))
tried(lambda: client.models.list())
wrong = client.with_options(api_key="wrong-guess-1b")
tried(lambda: wrong.chat.completions.create(model="quarry", messages=messages))


async def host(mode):
    bearer = {"Authorization": f"Bearer {secret}", **headers}
    async with create_mcp_http_client(headers=bearer) as http:
        async with Client(streamable_http_client(url + "/mcp", http_client=http), mode=mode) as mcp:
            show(await mcp.list_tools())
            answered = await mcp.call_tool("research", {"question": question})
            show(answered)
            show(await mcp.call_tool("research_result", {"id": answered.structured_content["id"]}))
            for part in ("", "/sources", "/events"):
                show(await mcp.read_resource(f"quarry://asks/{answered.structured_content['id']}{part}"))


asyncio.run(host("legacy"))
asyncio.run(host("auto"))
