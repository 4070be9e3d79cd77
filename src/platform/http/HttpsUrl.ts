import { Schema } from "effect"
import { text } from "./Text.ts"

const isHttps = Schema.makeFilter(
  (url: string) => /^https:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url),
  { expected: "an https URL", toJsonSchema: () => ({ format: "uri" }) }
)

/** An address that a browser opens, of up to 2048 characters. */
export const HttpsUrl = text(1, 2048).check(isHttps).annotate({ examples: ["https://school.example/cover.png"] })
