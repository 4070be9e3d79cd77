import { assert, describe, it } from "@effect/vitest"
import { createTurma, type Received, TurmaConnectionError, TurmaError } from "../../src/sdk/index.ts"
import { answer, clubId, failureOf, refusal, scripted, token } from "./Scripted.ts"

const student = { data: { id: "1", name: "Bia Lima" } }

describe("a call", () => {
  it("by its name puts each parameter where it belongs", async () => {
    const { sent, turma } = scripted([answer(200, { data: [], next_cursor: null })])
    assert.deepStrictEqual(await turma.students.list({ clubId, limit: 50, search: "bia & ção", cursor: undefined }), {
      data: [],
      next_cursor: null
    })
    const [request] = sent
    assert.strictEqual(
      request?.url,
      `https://turma.example/v1/clubs/${clubId}/students?limit=50&search=bia+%26+%C3%A7%C3%A3o`
    )
    assert.deepStrictEqual([request?.method, request?.body, request?.redirect], ["GET", undefined, "manual"])
    assert.strictEqual(request?.headers["authorization"], `Bearer ${token}`)
  })

  it("by method and path is the same call", async () => {
    const { sent, turma } = scripted([answer(201, student)])
    const body = { name: "Bia Lima", email: "bia@example.com" }
    const options = { idempotencyKey: "order-1" }
    const one = await turma.students.create({ clubId, body }, options)
    const other = await turma.POST("/v1/clubs/{clubId}/students", { path: { clubId }, body }, options)
    assert.deepStrictEqual<unknown>([one, other], [student, student])
    const [first, second] = sent.map(({ body, headers, method, url }) => ({ body, headers, method, url }))
    assert.deepStrictEqual(first, second)
    assert.strictEqual(first?.body, JSON.stringify(body))
    assert.strictEqual(first?.headers["content-type"], "application/json")
  })

  it("sends CSV as it is, and answers CSV and nothing as they are", async () => {
    const csv = "id,name\r\n1,Bia\r\n"
    const { sent, turma } = scripted([
      answer(202, { data: {} }),
      new Response(csv, { headers: { "content-type": "text/csv; charset=utf-8" } }),
      new Response(null, { status: 204 })
    ])
    await turma.studentImports.create({ clubId, dry_run: "true", body: csv })
    assert.deepStrictEqual([sent[0]?.headers["content-type"], sent[0]?.body], ["text/csv", csv])
    assert.strictEqual(await turma.studentExport.csv({ clubId }), csv)
    assert.isUndefined(await turma.students.remove({ clubId, studentId: "1" }))
  })

  it("answers a calendar file as it is", async () => {
    const calendar = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    const { sent, turma } = scripted([
      new Response(calendar, { headers: { "content-type": "text/calendar; charset=utf-8" } })
    ])
    assert.strictEqual(await turma.classroomLives.calendar({ clubId, liveId: "a" }), calendar)
    assert.include(sent[0]?.headers["accept"], "text/calendar")
  })

  it("sends the bytes of a CSV as they are, and takes an answer that is not UTF-8 for none", async () => {
    const bytes = Uint8Array.of(0x65, 0x6d, 0x61, 0x69, 0x6c, 0x0a, 0xe3)
    const { sent, turma } = scripted([
      answer(202, { data: {} }),
      new Response(bytes, { headers: { "content-type": "text/csv" } }),
      new Response(Uint8Array.of(0x22, 0xe3, 0x22), { headers: { "content-type": "application/json" } })
    ], { retries: 0 })
    await turma.studentImports.create({ clubId, body: bytes })
    assert.deepStrictEqual([sent[0]?.headers["content-type"], sent[0]?.body], ["text/csv", bytes])
    const failures = await Promise.all([turma.studentExport.csv({ clubId }), turma.account.me()].map(failureOf))
    for (const failure of failures) assert.instanceOf(failure, TurmaConnectionError)
  })

  it("escapes what stands in the path, and refuses what would lead elsewhere", async () => {
    const { sent, turma } = scripted([answer(200, student)])
    await turma.students.get({ clubId, studentId: "a/../b?c#d" })
    assert.strictEqual(sent[0]?.url, `https://turma.example/v1/clubs/${clubId}/students/a%2F..%2Fb%3Fc%23d`)
    const failures = ["..", ".", ""].map((studentId) => failureOf(turma.students.get({ clubId, studentId })))
    for (const failure of await Promise.all(failures)) assert.instanceOf(failure, TypeError)
    assert.strictEqual(sent.length, 1)
  })

  it("refuses a path that the contract does not have", () => {
    const { sent, turma } = scripted([answer(200, student)])
    const anyPath: object = turma
    for (const path of ["@evil.example/", "//evil.example", "/v1/nothing", "/v1/../secret"]) {
      assert.throws(() => Reflect.get(anyPath, "GET")(path), /There is no operation GET/)
    }
    assert.strictEqual(sent.length, 0)
  })

  it("sends no token where none is taken, and asks for it anew each time where it is a function", async () => {
    let asked = 0
    const { sent, turma } = scripted([answer(200, { data: {} })], { token: async () => `turma_${++asked}` })
    await turma.adminAuth.signIn({ body: { email: "ana@example.com", password: "violao e voz" } })
    await turma.account.me()
    await turma.account.me()
    assert.deepStrictEqual(sent.map(({ headers }) => headers["authorization"]), [
      undefined,
      "Bearer turma_1",
      "Bearer turma_2"
    ])
  })

  it("calls fetch as a function of its own, which is all that browsers allow", async () => {
    const owners: Array<unknown> = []
    const turma = createTurma({
      baseUrl: "https://turma.example",
      retries: 0,
      fetch: async function(this: unknown) {
        owners.push(this)
        return new Response("event: message.failed\ndata: {}\n\n", { headers: { "content-type": "text/event-stream" } })
      }
    })
    await failureOf(turma.account.me())
    await turma.ask.stream({ clubId, messageId: "1" }).next()
    assert.deepStrictEqual(owners, [undefined, undefined])
  })

  it("tells of each answer", async () => {
    const told: Array<Received> = []
    const { turma } = scripted([refusal(503, "temporarily_unavailable"), answer(200, student, { etag: "\"a\"" })], {
      onResponse: (received) => told.push(received)
    })
    await turma.students.get({ clubId, studentId: "1" })
    assert.deepStrictEqual(told.map(({ attempt, operation, status }) => [operation, status, attempt]), [
      ["students.get", 503, 1],
      ["students.get", 200, 2]
    ])
    assert.strictEqual(told[1]?.headers.get("etag"), "\"a\"")
  })

  it("takes further headers, but none that it makes itself", async () => {
    const { sent, turma } = scripted([new Response(null, { status: 304 })])
    const failure = await failureOf(turma.gamification.read({ clubId }, { headers: { "If-None-Match": "\"a\"" } }))
    assert.strictEqual(sent[0]?.headers["if-none-match"], "\"a\"")
    assert.deepStrictEqual(failure instanceof TurmaError && [failure.status, failure.code], [304, "not_modified"])
    const made = ["Authorization", "idempotency-key", "Content-Type"]
    const failures = made.map((name) => failureOf(turma.account.me({}, { headers: { [name]: "a" } })))
    for (const refused of await Promise.all(failures)) assert.instanceOf(refused, TypeError)
  })
})

describe("the address of the service", () => {
  it.each([
    "https://turma.example",
    "https://turma.example/",
    "https://turma.example:8443/api/",
    "http://localhost:3000",
    "http://api.localhost",
    "http://127.0.0.1:3000",
    "http://127.1.2.3",
    "http://[::1]:3000"
  ])("may be %s", async (baseUrl) => {
    const { sent, turma } = scripted([answer(200, student)], { baseUrl })
    await turma.account.me()
    assert.strictEqual(sent[0]?.url, `${baseUrl.replace(/\/$/, "")}/v1/me`)
  })

  it.each([
    "http://turma.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "http://192.168.0.1",
    "ftp://turma.example",
    "https://ana:secret@turma.example",
    "https://turma.example?a=b",
    "https://turma.example#a",
    "turma.example",
    ""
  ])("may not be %j", (baseUrl) => {
    assert.throws(() => createTurma({ baseUrl, token }), TypeError, /^baseUrl must/)
  })
})

describe("the token", () => {
  it("is in no error, whatever fetch puts there, and nothing shows it", async () => {
    const { turma } = scripted([
      ({ headers }) => {
        throw Object.assign(new Error(`fetch failed with ${JSON.stringify(headers)}`), { headers })
      }
    ], { retries: 0 })
    const failure = await failureOf(turma.account.me())
    assert.instanceOf(failure, TurmaError)
    const shown = [
      failure.message,
      failure.stack,
      String(failure.cause),
      JSON.stringify(failure),
      JSON.stringify(turma)
    ]
    assert.notInclude(shown.join(), "thisisthesecret")
    assert.include(failure.message, "Bearer …")
  })

  it.each(["turma_a\r\nX-Evil: 1", "turma a", "", "turmé"])(
    "is refused unsaid if no header can have it: %j",
    (token) => {
      assert.throws(() => createTurma({ baseUrl: "https://turma.example", token }), /^token must be printable/)
    }
  )
})

describe("an idempotency key", () => {
  const body = { name: "Bia Lima", email: "bia@example.com" }

  it("comes with each creation, another for each call and one for all its attempts", async () => {
    const { sent, turma } = scripted([refusal(503, "temporarily_unavailable"), answer(201, student)])
    await turma.students.create({ clubId, body })
    await turma.students.create({ clubId, body })
    const [first, second, third] = sent.map(({ headers }) => headers["idempotency-key"] ?? "none")
    assert.match(first ?? "", /^[0-9a-f]{32}$/)
    assert.strictEqual(first, second)
    assert.notStrictEqual(first, third)
  })

  it("may be the caller's, and comes with nothing else", async () => {
    const { sent, turma } = scripted([answer(200, student)])
    await turma.students.create({ clubId, body }, { idempotencyKey: "order-1042" })
    await turma.students.update({ clubId, studentId: "1", body: { name: "Bia" } })
    await turma.lives.open({ clubId, liveId: "1" })
    await turma.students.get({ clubId, studentId: "1" })
    assert.deepStrictEqual(sent.map(({ headers }) => headers["idempotency-key"]), [
      "order-1042",
      undefined,
      undefined,
      undefined
    ])
  })
})

describe("an option that makes no sense", () => {
  it.each([{ retries: -1 }, { retries: Number.NaN }, { timeout: 0 }, { totalTimeout: -5 }])(
    "is refused: %j",
    async (bad) => {
      assert.throws(() => scripted([], bad), RangeError)
      assert.instanceOf(await failureOf(scripted([answer(200, {})]).turma.account.me({}, bad)), RangeError)
    }
  )
})
