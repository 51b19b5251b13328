"""LangChain's client for OpenAI's Responses against a Quarry whose address is the argument."""
import sys

from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    base_url=sys.argv[1] + "/v1", api_key="none", model="quarry", max_retries=0,
    use_responses_api=True, output_version="responses/v1",
)
question = "What is six times seven?"

whole = model.invoke(question)
assert "31.2 percent" in whole.text, whole
assert whole.response_metadata["status"] == "completed" and whole.usage_metadata["total_tokens"] > 0
kinds = [block["type"] for block in whole.content]
assert "reasoning" in kinds and "text" in kinds, kinds

streamed = None
for chunk in model.stream(question):
    streamed = chunk if streamed is None else streamed + chunk
assert streamed.text == whole.text, streamed

following = model.invoke("And eight?", previous_response_id=whole.response_metadata["id"])
assert following.response_metadata["status"] == "completed"
history = [("user", question), whole, ("user", "And eight?")]
assert model.invoke(history).response_metadata["status"] == "completed"
print("LangChain")
