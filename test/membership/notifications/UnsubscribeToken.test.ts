import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { OrganizationId } from "../../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { makeUnsubscribeToken, subscriberOf } from "../../../src/membership/notifications/UnsubscribeToken.ts"

const keyOf = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))
const [one, other] = [keyOf(1), keyOf(2)]

const of = (token: string, ...[key = one, ...keys]: ReadonlyArray<typeof one>) =>
  subscriberOf([key, ...keys], Redacted.make(token))

describe("The token of a link that ends mails", () => {
  it.prop(
    "names its student to holders of the key that signed it, now or before, and to nobody else",
    { organization_id: OrganizationId, student_id: StudentId },
    ({ organization_id, student_id }) => {
      const subscriber = {
        organization_id: OrganizationId.make(organization_id.toLowerCase()),
        student_id: StudentId.make(student_id.toLowerCase())
      }
      const token = Redacted.value(makeUnsubscribeToken([one], subscriber))
      assert.match(token, /^[\w-]{86}$/)
      assert.deepStrictEqual([of(token), of(token, other, one), of(token, other)], [subscriber, subscriber, undefined])
    }
  )

  it("is refused when a letter of it is another, or is added or missing", () => {
    const token = Redacted.value(makeUnsubscribeToken([one], {
      organization_id: OrganizationId.make("6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10"),
      student_id: StudentId.make("018f0000-0000-7000-8000-000000000001")
    }))
    const changed = [...token].map((letter, index) =>
      token.slice(0, index) + (letter === "A" ? "B" : "A") + token.slice(index + 1)
    )
    for (const text of [...changed, `${token}A`, `${token}=`, ` ${token}`, token.slice(1), token.slice(0, -1), ""]) {
      assert.isUndefined(of(text), text)
    }
  })
})
