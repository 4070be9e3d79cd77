import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import { type Policy, policyLimits } from "../../src/identity/limits/WriteCounters.ts"
import { guide } from "./Guides.ts"

/** The default limits. */
const limits = Effect.runSync(Effect.provide(policyLimits, ConfigProvider.layer(ConfigProvider.fromUnknown({}))))

/** The section on limits, each paragraph in one line. */
const sectionOf = (name: string) => {
  const [, after = ""] = guide(name).split("\n## Rate limits\n")
  const [section = ""] = after.split("\n## ")
  return section.replaceAll(/(?<=[^|\n])\n(?=[^|\n])/g, " ")
}

const perMinute = /^\| (?<what>[^|]+) \| (?<limit>\d+) \| (?<whose>[^|]+) \|$/gm

/** The table's text for each limit per minute: the limited requests, and the owner of the limit. */
const rows: ReadonlyMap<Policy, readonly [what: RegExp, whose: RegExp]> = new Map([
  ["club-writes", [/^writes .* under `\/v1\/clubs\/\{clubId\}\/…`$/, /^the club/]],
  ["student-writes", [/^writes of students /, /^the student$/]],
  ["ip-writes", [/^writes elsewhere$/, /^the IP address$/]],
  ["credentials", [/^sign-up, sign-in, /, /^the IP address$/]],
  ["platform-hooks", [/^sales platforms/, /^the IP address$/]],
  ["mcp", [/^messages of agents/, /^the key$/]],
  ["play-inbox", [/^requests to a play inbox$/, /^the inbox$/]],
  ["play", [/^requests to play inboxes$/, /^the IP address$/]],
  ["internal-secret", [/^wrong `INTERNAL_SECRET`s$/, /^the IP address$/]]
])

describe("The guides' numbers of limits", () => {
  it("are those of the code, in a table that has every limit by the minute", () => {
    const table = [...sectionOf("api").matchAll(perMinute)].map(({ groups }) => groups)
    const minutely = Object.entries(limits).filter(([, { window }]) => Duration.toSeconds(window) === 60)
    assert.sameMembers(minutely.map(([policy]) => policy), [...rows.keys()])
    assert.lengthOf(table, rows.size)
    for (const [policy, [what, whose]] of rows) {
      const found = table.filter((row) => what.test(row?.["what"] ?? "") && whose.test(row?.["whose"] ?? ""))
      assert.deepStrictEqual(found.map((row) => row?.["limit"]), [`${limits[policy].limit}`], policy)
    }
  })

  it("are those of the code where wrong passwords are counted", () => {
    const [here, anywhere] = [limits["sign-in-failures"], limits["sign-in-failures-anywhere"]]
    const minutes = Duration.toMinutes(here.window)
    assert.strictEqual(Duration.toMinutes(anywhere.window), minutes)
    assert.include(
      sectionOf("api"),
      `Wrong passwords have a window of ${minutes} minutes: ${here.limit} for an e-mail address from one network, ${anywhere.limit} from anywhere.`
    )
  })

  it("are those of the code in the guide to the SDK", () => {
    const [club, student, address] = [limits["club-writes"], limits["student-writes"], limits.credentials]
    assert.include(
      sectionOf("sdk"),
      `A club has ${club.limit} writes a minute, a student ${student.limit} in the classroom, an IP address ${address.limit} sign-ins`
    )
  })
})
