import type { Finding } from "./Kind.ts"

/** A sentence that stays as it is, by its file, the rule and a part of its text. */
export interface Exception extends Pick<Finding, "file" | "rule" | "text"> {
  readonly why: string
}

/** Sentences that stay as they are. If a sentence breaks its rule no longer, its exception must go. */
export const exceptions: ReadonlyArray<Exception> = [
  ...["src/events/EventData.ts", "src/events/ExampleData.ts", "src/webhooks/history/delivery/Deliveries.ts"].map((
    file
  ): Exception => ({
    file,
    rule: "phrase",
    text: "It tells of nothing that happened",
    why: "Receivers get it in the body of a test, and the OpenAPI document has it as an example, which stays the same."
  })),
  {
    file: "src/webhooks/Api.ts",
    rule: "passive",
    text: "A student account is born in the club",
    why: "An example of the OpenAPI document, which stays the same."
  },
  {
    file: "src/operations/Documented.ts",
    rule: "phrase",
    text: "Whoever runs this service",
    why: "The contact's name in the OpenAPI document, which stays the same."
  },
  {
    file: "src/webhooks/endpoint/causes/Advice.ts",
    rule: "passive",
    text: "it is gone for good",
    why: "'Gone' is how the receiver is."
  }
]
