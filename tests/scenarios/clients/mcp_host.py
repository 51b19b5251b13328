"""The Model Context Protocol's own Python client, in both eras, against a Quarry whose address is the argument."""
import asyncio
import sys

from mcp import Client, MCPError


async def use(mode):
    told = []

    async def progress(now, total, message):
        assert total is None and message, (total, message)
        told.append(now)

    async with Client(sys.argv[1] + "/mcp", mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools][:3] == ["research", "research_result", "research_stop"], tools
        question = {"question": "What is six times seven?"}
        answered = await client.call_tool("research", question, progress_callback=progress)
        assert answered.structured_content["status"] == "completed", answered
        assert "31.2 percent" in answered.content[0].text, answered
        assert told == list(range(1, len(told) + 1)) and told, told
        again = await client.call_tool("research_result", {"id": answered.structured_content["id"]})
        assert again.structured_content == answered.structured_content
        wrong = await client.call_tool("research", {**question, "effort": "most"})
        assert wrong.is_error and "effort" in wrong.content[0].text, wrong
        try:
            await client.call_tool("no_such_tool", {})
            raise AssertionError("it was called")
        except MCPError as error:
            assert error.error.code == -32602, error
        read = await client.read_resource(str(answered.content[1].uri))
        assert "31.2 percent" in read.contents[0].text, read
        assert len((await client.list_resource_templates()).resource_templates) == 3
        prompt = await client.get_prompt("deep_research", {"question": "Why?"})
        assert "Why?" in prompt.messages[0].content.text
        print("MCP for Python,", client.protocol_version)


asyncio.run(use("legacy"))
asyncio.run(use("auto"))
