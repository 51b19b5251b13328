"""Answers in a form of the caller's, by OpenAI's Python client and LangChain, against a Quarry whose address is the
argument."""
import sys

import openai
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

url = sys.argv[1] + "/v1"
question = "What is six times seven?"


class Product(BaseModel):
    """A product of two numbers."""

    number: int


client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
messages = [{"role": "user", "content": question}]
chat = client.chat.completions.parse(model="quarry", messages=messages, response_format=Product)
assert chat.choices[0].message.parsed == Product(number=42), chat
response = client.responses.parse(model="quarry", input=question, text_format=Product)
assert response.output_parsed == Product(number=42), response

for use_responses_api in (False, True):
    model = ChatOpenAI(base_url=url, api_key="none", model="quarry", max_retries=0, use_responses_api=use_responses_api)
    structured = model.with_structured_output(Product, method="json_schema")
    assert structured.invoke(question) == Product(number=42)
print("answers in a form")
