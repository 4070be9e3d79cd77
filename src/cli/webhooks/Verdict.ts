import { Result } from "effect"
import { type SignatureProblem, timestampTolerance } from "../../webhooks/send/Signature.ts"

const clock = (seconds: number) =>
  `the timestamp is ${Math.abs(seconds)} seconds ${seconds > 0 ? "old" : "ahead"}, more than ${timestampTolerance}`

const reasonOf = (problem: SignatureProblem): string => {
  switch (problem.reason) {
    case "header_missing":
      return `${problem.header} is missing`
    case "timestamp_malformed":
      return "webhook-timestamp is not in Unix seconds"
    case "timestamp_off":
      return clock(problem.seconds)
    case "no_match":
      return "no signature matches: it is another secret or key, id, timestamp or body"
  }
}

/** The verdict on a signature: `verified`, or why not. */
export const verdictOf = (result: Result.Result<void, SignatureProblem>): string =>
  Result.match(result, { onFailure: (problem) => `not verified: ${reasonOf(problem)}`, onSuccess: () => "verified" })
