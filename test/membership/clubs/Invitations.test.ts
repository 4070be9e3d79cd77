import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { isAbout } from "../../harness/Refusals.ts"
import { accept, guest, idOf, invite, openIn, withdraw } from "./Invite.ts"

const tokenInvalid = [422, "token_invalid"]

layer(AppLayer)("Inviting", (it) => {
  it.effect("answers 201 with an invitation for 7 days, without its token", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email, secret } = yield* guest
      const answer = yield* invite(club, { email, role: "editor" })
      assert.strictEqual(answer.status, 201)
      assert.deepStrictEqual<unknown>(answer.json, {
        data: {
          id: idOf(answer),
          email,
          role: "editor",
          created_at: "1970-01-01T00:00:00.000Z",
          expires_at: "1970-01-08T00:00:00.000Z"
        }
      })
      assert.deepStrictEqual(yield* openIn(club), [at(answer.json, "data")])
      assert.notInclude(answer.text, yield* secret)
    }))

  it.effect.each([
    ["pt-BR", "Convite para o clube Violão Fácil", "edição", "7 dias"],
    ["en", "Invitation to the club Violão Fácil", "editor", "7 days"]
  ] as const)("mails in the club's language, %s", ([locale, subject, role, days]) =>
    Effect.gen(function*() {
      const club = yield* foundClub({ locale })
      const { email, mails, secret } = yield* guest
      yield* invite(club, { email, role: "editor" })
      const [mail, ...others] = yield* mails
      assert.lengthOf(others, 0)
      assert.strictEqual(mail?.subject, subject)
      for (
        const part of [club.owner.name, role, days, `https://turma.example/account/invitation?token=${yield* secret}`]
      ) {
        assert.include(mail?.text, part)
      }
    }))

  it.effect("takes an address in any case as the same one", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const person = yield* guest
      const answer = yield* invite(club, { email: person.email.toUpperCase(), role: "viewer" })
      assert.strictEqual(at(answer.json, "data", "email"), person.email)
      assert.strictEqual((yield* accept(person.token, yield* person.secret)).status, 200)
    }))

  it.effect("replaces an earlier invitation of the same address, whose link is dead from then on", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const person = yield* guest
      const first = yield* invite(club, { email: person.email, role: "viewer" })
      const old = yield* person.secret
      const second = yield* invite(club, { email: person.email, role: "support" })
      assert.deepStrictEqual(yield* openIn(club), [at(second.json, "data")])
      assert.notStrictEqual(idOf(second), idOf(first))
      assert.deepStrictEqual(outcome(yield* accept(person.token, old)), tokenInvalid)
      const joined = yield* accept(person.token, yield* person.secret)
      assert.deepStrictEqual([joined.status, at(joined.json, "data", "role")], [200, "support"])
    }))

  it.effect("leaves another club's invitation of the same address", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const person = yield* guest
      yield* invite(club, { email: person.email, role: "viewer" })
      const link = yield* person.secret
      yield* invite(other, { email: person.email, role: "viewer" })
      assert.strictEqual((yield* accept(person.token, link)).status, 200)
      assert.strictEqual((yield* accept(person.token, yield* person.secret)).status, 200)
    }))

  it.effect("is refused where the address is a member's, and mails nothing", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const person = yield* guest
      yield* makeMember(club, "viewer", person.user)
      const answer = yield* invite(club, { email: person.email.toUpperCase(), role: "admin" })
      assert.deepStrictEqual(outcome(answer), [409, "already_member"])
      assert.deepStrictEqual(yield* person.mails, [])
      assert.deepStrictEqual(yield* openIn(club), [])
    }))

  it.effect("mails once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email, mails } = yield* guest
      const once = { "idempotency-key": "convite" }
      const first = yield* invite(club, { email, role: "viewer" }, once)
      const second = yield* invite(club, { email, role: "viewer" }, once)
      assert.deepStrictEqual([second.status, second.text], [201, first.text])
      assert.lengthOf(yield* mails, 1)
    }))

  it.effect.each([
    ["email", { role: "viewer" }],
    ["email", { email: "nobody", role: "viewer" }],
    ["email", { email: `${"a".repeat(311)}@b.example`, role: "viewer" }],
    ["email", { email: "a@b.example\r\nBcc: c@d.example", role: "viewer" }],
    ["role", { email: "a@b.example" }],
    ["role", { email: "a@b.example", role: "student" }],
    ["expires_at", { email: "a@b.example", role: "viewer", expires_at: "2099-01-01T00:00:00.000Z" }]
  ])("refuses a wrong %s: %j", ([field, body]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const answer = yield* invite(club, body)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
      assert.deepStrictEqual(yield* openIn(club), [])
    }))
})

layer(AppLayer)("Withdrawing an invitation", (it) => {
  it.effect("kills its link", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const person = yield* guest
      const invitation = yield* invite(club, { email: person.email, role: "viewer" })
      const link = yield* person.secret
      assert.strictEqual((yield* withdraw(club, idOf(invitation))).status, 204)
      assert.deepStrictEqual(outcome(yield* accept(person.token, link)), tokenInvalid)
      assert.deepStrictEqual(yield* openIn(club), [])
    }))

  it.effect("finds none that was withdrawn or accepted, is another club's or is malformed", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const [gone, joined, foreign] = [yield* guest, yield* guest, yield* guest]
      const invitations = [
        yield* invite(club, { email: gone.email, role: "viewer" }),
        yield* invite(club, { email: joined.email, role: "viewer" }),
        yield* invite(other, { email: foreign.email, role: "viewer" })
      ]
      yield* withdraw(club, idOf(invitations[0] ?? { json: null }))
      yield* accept(joined.token, yield* joined.secret)
      for (const id of [...invitations.map(idOf), "0190a000-0000-7000-8000-000000000001", "malformed"]) {
        assert.deepStrictEqual(outcome(yield* withdraw(club, id)), [404, "not_found"])
      }
      assert.strictEqual((yield* accept(foreign.token, yield* foreign.secret)).status, 200)
    }))
})

layer(AppLayer)("The list of invitations", (it) => {
  it.effect("has each on exactly one page while others are sent", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const ids: Array<unknown> = []
      for (let n = 0; n < 7; n++) ids.push(idOf(yield* invite(club, { email: `p${n}@user.example`, role: "viewer" })))
      const path = `${club.path}/members/invitations`
      const seen: Array<unknown> = []
      let cursor = ""
      for (let more = 0; more < 10; more++) {
        const { json } = yield* send("GET", `${path}?limit=3${cursor}`, club)
        seen.push(...listAt(json, "data").map((invitation) => at(invitation, "id")))
        if (at(json, "next_cursor") === null) break
        cursor = `&cursor=${String(at(json, "next_cursor"))}`
        if (more < 2) yield* invite(club, { email: `late${more}@user.example`, role: "viewer" })
      }
      assert.strictEqual(new Set(seen).size, seen.length)
      assert.includeMembers(seen, ids)
    }))

  it.effect("refuses a bad cursor and a bad limit", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const list = (query: string) => send("GET", `${club.path}/members/invitations?${query}`, club)
      assert.deepStrictEqual(outcome(yield* list("cursor=x")), [400, "invalid_cursor"])
      assert.deepStrictEqual(outcome(yield* list("limit=0")), [422, "validation_failed"])
    }))
})
