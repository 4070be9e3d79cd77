import type { Finding } from "../test/tools/Lint.ts"

/** Findings of the check of the OpenAPI document that stay, and why. Remove an entry whose finding has disappeared. */
export const accepted: ReadonlyArray<Pick<Finding, "rule" | "at"> & { readonly why: string }> = [
  {
    rule: "redocly no-ambiguous-paths",
    at: "#/paths/~1v1~1clubs~1{clubId}~1students~1imports~1{importId}",
    why: "The contract has this path beside /students/{studentId}/points. An id is a UUID, so no request means both."
  },
  {
    rule: "spectral oas3-valid-schema-example",
    at:
      "paths /v1/clubs/{clubId}/webhook-event-types get responses 200 content application/json example data 0 example",
    why: "A type of event has fields called type and example, as a schema has, and the rule takes the answer for one."
  }
]
