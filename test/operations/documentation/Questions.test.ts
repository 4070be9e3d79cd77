import { assert, describe, it } from "@effect/vitest"
import { indexOf, search } from "../../../src/operations/documentation/Search.ts"
import { entries } from "./Site.ts"

const guide = (page: string) => `/docs/guides/${page}`
const operation = (place: string) => `/docs/reference/${place}`

/** Words that people type, and the place of the answer: the beginning of an address, or one of several. */
const questions: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
  ["rate limit", guide("api#rate-limits"), guide("sdk#rate-limits")],
  ["rate limits", guide("api#rate-limits")],
  ["how many requests per minute", guide("api#rate-limits")],
  ["429", guide("api"), guide("errors")],
  ["too many requests", guide("errors"), guide("api#rate-limits")],
  ["Retry-After", guide("api#rate-limits"), guide("sdk"), guide("receivers")],
  ["webhook signature", guide("receivers"), guide("sdk#a-verified-webhook")],
  ["wehbook", guide("receivers"), guide("sdk#a-verified-webhook"), guide("operations#webhooks")],
  ["webhook", guide("receivers"), guide("sdk#a-verified-webhook"), guide("operations#webhooks")],
  ["verify signature", guide("receivers"), guide("sdk#a-verified-webhook"), guide("python"), guide("php")],
  ["hmac", guide("receivers"), guide("python"), guide("php")],
  ["rotate secret", operation("webhook-endpoints#webhookEndpoints.rotateSecret"), guide("receivers#a-new-secret")],
  ["test webhook locally", guide("receivers")],
  ["localhost webhook", guide("receivers")],
  ["resend a delivery", operation("webhook-deliveries"), guide("receivers")],
  ["redeliver", operation("webhook-deliveries"), guide("receivers")],
  ["delete a student", operation("students#students.remove"), guide("tour#removal-and-errors")],
  ["remove student", operation("students#students.remove"), guide("tour#removal-and-errors")],
  ["erase a student", operation("students#students.remove"), guide("tour#removal-and-errors")],
  ["import students csv", operation("imports-of-students"), guide("tour"), guide("command-line")],
  ["export students", operation("export-of-students"), guide("command-line")],
  ["refresh token", guide("authentication")],
  ["access token", guide("authentication"), operation("administrator-credentials")],
  ["bearer token", guide("authentication"), guide("api")],
  ["jwt", guide("authentication")],
  [
    "login",
    guide("authentication"),
    guide("command-line#signing-in"),
    operation("administrator-credentials"),
    operation("student-credentials")
  ],
  [
    "sign in",
    guide("authentication"),
    guide("command-line#signing-in"),
    operation("administrator-credentials"),
    operation("student-credentials")
  ],
  ["sign up", guide("authentication"), operation("administrator-credentials"), operation("student-credentials")],
  ["session expires", guide("authentication"), guide("console#the-session")],
  ["api key", guide("club-keys"), guide("agents#the-key")],
  ["api keys", guide("club-keys"), guide("agents#the-key")],
  ["scopes", guide("club-keys"), operation("keys")],
  ["roles", guide("roles")],
  ["permissions", guide("roles")],
  ["who can delete students", guide("roles"), operation("students#students.remove")],
  ["pagination", guide("pagination")],
  ["paginatoin", guide("pagination")],
  ["cursor", guide("pagination")],
  ["idempotency key", guide("idempotency")],
  ["idempotent", guide("idempotency")],
  ["error codes", guide("errors")],
  ["cors", guide("api#calling-from-a-browser"), guide("configuration")],
  ["upload a file", guide("storage"), guide("tour#lessons-and-files"), operation("media")],
  ["s3 bucket", guide("storage#a-bucket"), guide("backups"), guide("failures#a-bucket")],
  ["backup", guide("backups")],
  ["restore a backup", guide("backups")],
  ["docker", guide("deployment")],
  ["kubernetes", guide("deployment#kubernetes")],
  ["docker compose", guide("deployment")],
  ["environment variables", guide("configuration"), guide("deployment")],
  ["upgrade", guide("upgrades")],
  ["monitoring", guide("watching")],
  ["prometheus metrics", guide("watching")],
  ["hotmart", guide("sales-platforms"), guide("tour#imports-and-sales")],
  ["kiwify webhook", guide("sales-platforms")],
  ["stripe", guide("billing#stripe"), guide("sales-platforms")],
  ["invite a member", operation("clubs-and-members#clubs.invite")],
  ["python client", guide("python")],
  ["mcp server", guide("agents")],
  ["purchase.paid", "/docs/events#purchase.paid"],
  ["next attempt", guide("receivers"), operation("webhook-deliveries")],
  ["level_zero_missing", operation("gamification#gamification.replaceLevels"), guide("errors")]
]

const first = 3

describe("what people type", async () => {
  const index = await indexOf(entries)

  const isFound = ([question, ...wanted]: (typeof questions)[number]) =>
    search(index, question).slice(0, first).some(({ address }) => wanted.some((one) => address.startsWith(one)))

  it("is answered by one of the first three that are found", () => {
    assert.isAtLeast(questions.length, 60)
    const missed = questions.filter((one) => !isFound(one)).map(([question]) =>
      `${question}: ${search(index, question).slice(0, first).map(({ address }) => address).join(", ")}`
    )
    assert.isAtMost(missed.length, 1, missed.join("\n"))
  })

  it("has the guides before the operations that they name", () => {
    for (const question of ["webhook", "pagination", "roles", "backup", "idempotency key"]) {
      assert.strictEqual(search(index, question)[0]?.kind, "Guide", question)
    }
  })
})
