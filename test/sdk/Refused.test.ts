import { assert, describe, it } from "@effect/vitest"
import type { CallOptions, createTurma } from "../../src/sdk/index.ts"
import { answer, called, clubId, collected, failureOf, scripted } from "./Scripted.ts"

// Mistakes that a program in JavaScript can make without a compiler. The client sends nothing for them.

const body = { name: "Bia Lima", email: "bia@example.com" }
const done = answer(200, { data: {} })

/** The message of the refusal, before the client sends anything. */
const refusedWith = async (call: (turma: ReturnType<typeof createTurma>) => PromiseLike<unknown>) => {
  const { sent, turma } = scripted([done])
  const failure = await failureOf(call(turma))
  assert.instanceOf(failure, TypeError)
  assert.strictEqual(sent.length, 0)
  return failure.message
}

describe("a body", () => {
  it("that is missing is no call: its fields would be in the address", async () => {
    const password = "violao e voz"
    const calls = [
      refusedWith((turma) => called(turma, "adminAuth.signIn", { email: "ana@example.com", password })),
      refusedWith((turma) => called(turma, "students.create", { clubId, ...body })),
      refusedWith((turma: object) => Reflect.get(turma, "POST")("/v1/auth/admin/sign-in", { query: { password } }))
    ]
    assert.deepStrictEqual(await Promise.all(calls), [
      "adminAuth.signIn needs a body",
      "students.create needs a body",
      "adminAuth.signIn needs a body"
    ])
  })

  it("may be left out where the contract does not need one", async () => {
    const { sent, turma } = scripted([new Response(null, { status: 204 })])
    await turma.enrollments.revoke({ clubId, enrollmentId: "1" })
    await turma.lives.open({ clubId, liveId: "1" })
    assert.deepStrictEqual(sent.map(({ body, headers }) => [body, headers["content-type"]]), [
      [undefined, undefined],
      [undefined, undefined]
    ])
  })
})

describe("what stands in the query", () => {
  it("is left out where it is null or undefined, such as the cursor of the last page", async () => {
    const { sent, turma } = scripted([answer(200, { data: [], next_cursor: null })])
    await turma.students.list({ clubId, cursor: null, search: undefined, limit: 5 })
    await turma.GET("/v1/clubs/{clubId}/students", { path: { clubId }, query: { cursor: null } })
    assert.deepStrictEqual(sent.map(({ url }) => new URL(url).search), ["?limit=5", ""])
  })

  it.each([[["a", "b"]], [{ a: 1 }], [new Date(0)]])("is no list and no object: %j", async (search) => {
    const message = await refusedWith((turma) => called(turma, "students.list", { clubId, search }))
    assert.strictEqual(message, "search must be a text, a number or a boolean")
  })
})

describe("an idempotency key", () => {
  it.each(["", "a".repeat(256), "pedido-✓", "é", "a\r\nX-Evil: 1"])("is refused unsaid: %j", async (idempotencyKey) => {
    assert.strictEqual(
      await refusedWith((turma) => turma.students.create({ clubId, body }, { idempotencyKey })),
      "idempotencyKey must have 1 to 255 printable ASCII characters"
    )
  })

  it("is refused where nothing would come of it, instead of a creation that is done twice", async () => {
    const options: CallOptions = { idempotencyKey: "order-1042" }
    const calls = [
      refusedWith((turma) => turma.students.update({ clubId, studentId: "1", body }, options)),
      refusedWith((turma) => turma.adminAuth.signIn({ body: { email: "a@b.example", password: "violao" } }, options)),
      refusedWith((turma) => turma.students.list({ clubId }, options))
    ]
    const messages = await Promise.all(calls)
    assert.isTrue(messages.every((message) => message.endsWith("takes no idempotencyKey")))
  })

  it("may have every character that the service takes", async () => {
    const { sent, turma } = scripted([done])
    const idempotencyKey = `~ !${"a".repeat(252)}`
    await turma.students.create({ clubId, body }, { idempotencyKey })
    assert.strictEqual(sent[0]?.headers["idempotency-key"], idempotencyKey)
  })
})

describe("further headers", () => {
  it.each([
    ["x-a", "secret\r\nX-Evil: 1"],
    ["x-a", "secret ✓"],
    ["x-a", "secret\0"],
    ["", "secret"],
    ["x a", "secret"],
    ["x:a", "secret"]
  ])("are refused if no header can be like this, without their value: %j: %j", async (name, value) => {
    const message = await refusedWith((turma) => turma.account.me({}, { headers: { [name]: value } }))
    assert.match(message, / no header can have$/)
    assert.notInclude(message, "secret")
  })

  it("may be of Latin letters, and are left out where they are undefined", async () => {
    const { sent, turma } = scripted([done])
    await turma.account.me({}, { headers: { "X-Name": "José\tLima", "If-None-Match": undefined } })
    assert.strictEqual(sent[0]?.headers["x-name"], "José\tLima")
    assert.notProperty(sent[0]?.headers, "if-none-match")
  })

  it("are held to the same where they are the last event of a stream", async () => {
    const params = { clubId, messageId: "1" }
    await refusedWith((turma) => collected(turma.ask.stream(params, { lastEventId: "1\r\nX-Evil: 1" })))
  })
})

describe("a token", () => {
  it.each([[null], [() => null], [async () => null], [() => undefined]])(
    "that is none, as storage answers it, is not sent",
    async (token) => {
      const { sent, turma } = scripted([done], { token })
      await turma.account.me()
      assert.notProperty(sent[0]?.headers, "authorization")
    }
  )

  it("that a function answers is held to the same as a text", async () => {
    const { sent, turma } = scripted([done], { token: async () => "turma_a\n" })
    const failure = await failureOf(turma.account.me())
    assert.instanceOf(failure, TypeError)
    assert.notInclude(failure.message, "turma_a")
    assert.strictEqual(sent.length, 0)
  })

  it("that cannot be had is the failure of the call", async () => {
    const reason = new Error("signed out")
    const { turma } = scripted([done], {
      token: () => {
        throw reason
      }
    })
    assert.strictEqual(await failureOf(turma.account.me()), reason)
  })
})
