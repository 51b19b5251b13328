"""OpenAI's Agents SDK, by responses and by chat completions, against a Quarry whose address is the argument."""
import asyncio
import sys

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    WebSearchTool,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

set_tracing_disabled(True)
client = AsyncOpenAI(base_url=sys.argv[1] + "/v1", api_key="none", max_retries=0)
question = "What is six times seven?"


@function_tool
def multiply(one: int, other: int) -> int:
    """Multiplies."""
    raise AssertionError("a research calls no function of its caller's")


async def use(model, tools):
    agent = Agent(name="researcher", instructions="Be brief.", model=model, tools=tools)
    whole = await Runner.run(agent, question)
    assert "31.2 percent" in whole.final_output, whole
    assert whole.raw_responses[0].usage.total_tokens > 0, whole

    # The conversation goes on with all items that came, searches and thoughts among them.
    spoken = whole.to_input_list() + [{"role": "user", "content": "And eight times seven?"}]
    following = await Runner.run(agent, spoken)
    assert "31.2 percent" in following.final_output, following

    streamed = Runner.run_streamed(agent, question)
    text, kinds = "", set()
    async for event in streamed.stream_events():
        kinds.add(event.type)
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            text += event.data.delta
    assert streamed.final_output == text == whole.final_output, text
    assert {"raw_response_event", "run_item_stream_event"} <= kinds, kinds
    return whole


async def main():
    responses = OpenAIResponsesModel("quarry", client)
    whole = await use(responses, [])
    kinds = [item.type for item in whole.new_items]
    assert "reasoning_item" in kinds and kinds[-1] == "message_output_item", kinds
    await use(responses, [WebSearchTool(), multiply])
    await use(OpenAIChatCompletionsModel("quarry", client), [multiply])
    # Another agent takes over by a function: a research calls none and answers by itself.
    other = Agent(name="other", model=responses)
    first = Agent(name="first", model=responses, handoffs=[other])
    assert (await Runner.run(first, question)).last_agent is first


asyncio.run(main())
print("the Agents SDK for Python")
