import type { Kind } from "./Kind.ts"

/** Files in which every sentence of this kind keeps the rules. The check fails for these alone, until it is all of them. */
export const clean: Readonly<Record<Kind, ReadonlyArray<string>>> = {
  pages: [
    "src/guides/api.md",
    "src/guides/audit-log.md",
    "src/guides/authentication.md",
    "src/guides/club-keys.md",
    "src/guides/console.md",
    "src/guides/errors.md",
    "src/guides/idempotency.md",
    "src/guides/pagination.md",
    "src/guides/receivers.md",
    "src/guides/roles.md",
    "src/guides/support.md",
    "src/guides/typescript.md"
  ],
  api: [],
  messages: [],
  comments: []
}
