"""LangChain's client for Chat Completions against a Quarry whose address is the argument."""
import asyncio
import sys

from langchain_openai import ChatOpenAI

model = ChatOpenAI(base_url=sys.argv[1] + "/v1", api_key="none", model="quarry", max_retries=0, stream_usage=True)
question = "What is six times seven?"

whole = model.invoke(question)
assert "31.2 percent" in whole.text, whole
assert whole.response_metadata["finish_reason"] == "stop" and whole.usage_metadata["total_tokens"] > 0

streamed = None
for chunk in model.stream(question):
    streamed = chunk if streamed is None else streamed + chunk
assert streamed.text == whole.text and streamed.usage_metadata["total_tokens"] > 0, streamed

history = [("system", "Be brief."), ("user", question), whole, ("user", "And eight?")]
assert "31.2 percent" in model.invoke(history).text
assert [answer.text for answer in model.batch([question, question])] == [whole.text] * 2
assert asyncio.run(model.ainvoke(question)).text == whole.text
print("LangChain, chat completions")
