import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { ConversationId } from "../../../src/conversation/support/Conversation.ts"
import { StudentConversations } from "../../../src/conversation/support/StudentConversations.ts"
import { SupportInbox } from "../../../src/conversation/support/SupportInbox.ts"
import { AppLayer, at } from "../../harness/App.ts"
import { warmPool } from "../../harness/Pool.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { checkMarks } from "./Marks.ts"
import { idOf, listed, openSupportClub } from "./SupportClub.ts"

const unbounded = { concurrency: "unbounded" } as const

layer(AppLayer)("At once", (it) => {
  it.effect("messages of both sides in several conversations get numbers of their own, and none is lost", () =>
    Effect.gen(function*() {
      const { ana, bia, member, messages, open, reply, say, unread, ...club } = yield* openSupportClub
      const caio = yield* member("support")
      const [one, two] = [idOf(yield* open(ana)), idOf(yield* open(bia))]
      const twelve = <A, E, R>(work: Effect.Effect<A, E, R>) => Array.from({ length: 12 }, () => work)
      yield* Effect.all([
        ...twelve(say(ana, one)),
        ...twelve(reply(one, "A", caio)),
        ...twelve(say(bia, two)),
        ...twelve(open(bia))
      ], unbounded)
      const numbers = listed(yield* messages(one, "?limit=100"), "number")
      assert.deepStrictEqual(numbers, Array.from({ length: 25 }, (_, index) => 25 - index))
      assert.deepStrictEqual([yield* unread(one), yield* unread(two), yield* unread(two, caio)], [13, 13, 13])
      yield* checkMarks(club)
    }))

  it.effect("fifty reads and messages of the student leave unread what came after the last read", () =>
    Effect.gen(function*() {
      const { ana, one, open, read, say, ...club } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      const markers: Array<number> = []
      const readAndLook = read(id).pipe(
        Effect.andThen(one(id)),
        Effect.tap(({ json }) => Effect.sync(() => markers.push(Number(at(json, "data", "read_number")))))
      )
      yield* Effect.all([
        ...Array.from({ length: 50 }, () => readAndLook),
        ...Array.from({ length: 20 }, () => say(ana, id))
      ], unbounded)
      assert.lengthOf(markers, 50)
      yield* checkMarks(club)
      yield* read(id)
      const { json } = yield* one(id)
      assert.deepStrictEqual([at(json, "data", "unread_count"), at(json, "data", "read_number")], [0, 21])
    }))

  it.effect("a read waits for a message that is being written, and reads it", () =>
    Effect.gen(function*() {
      const { ana, id: club_id, one, open, read } = yield* openSupportClub
      const own = yield* StudentConversations
      const id = ConversationId.make(idOf(yield* open(ana)))
      const student = { role: "student", club_id, student_id: ana.id, now: new Date(0) } as const
      const reading = yield* whileHeld(
        own.write(student, id, "E agora?"),
        Effect.tap(Effect.forkChild(read(id)), () => untilBlocked())
      )
      assert.strictEqual((yield* Fiber.join(reading)).status, 204)
      const { json } = yield* one(id)
      assert.deepStrictEqual([at(json, "data", "unread_count"), at(json, "data", "read_number")], [0, 2])
    }))

  it.effect("a message waits for a read, and is unread", () =>
    Effect.gen(function*() {
      const { ana, id: club_id, one, open, owner, say } = yield* openSupportClub
      const inbox = yield* SupportInbox
      const id = ConversationId.make(idOf(yield* open(ana)))
      const writing = yield* whileHeld(
        inbox.read({ role: "staff", club_id, user_id: owner.id }, id),
        Effect.tap(Effect.forkChild(say(ana, id)), () => untilBlocked())
      )
      assert.strictEqual((yield* Fiber.join(writing)).status, 201)
      const { json } = yield* one(id)
      assert.deepStrictEqual([at(json, "data", "unread_count"), at(json, "data", "read_number")], [1, 1])
    }))

  it.effect("changes of status and assignee, messages and reads leave every mark a true copy", () =>
    Effect.gen(function*() {
      const { ana, change, member, open, ownRead, read, reply, say, setRole, ...club } = yield* openSupportClub
      const [caio, dora] = [yield* member("support"), yield* member("admin")]
      const ids = [idOf(yield* open(ana)), idOf(yield* open(ana))]
      const works = ids.flatMap((id) => [
        say(ana, id),
        change(id, { status: "closed", assignee_user_id: dora.id }, caio),
        reply(id, "A", caio),
        read(id, dora),
        ownRead(ana, id),
        change(id, { status: "pending", assignee_user_id: null }, dora),
        say(ana, id)
      ])
      const answers = yield* Effect.all(
        [...works, ...works, setRole(caio, "admin"), setRole(caio, "support")],
        unbounded
      )
      assert.deepStrictEqual(answers.filter(({ status }) => status >= 300), [])
      yield* checkMarks(club)
    }))

  it.effect("members who come and messages that are written leave every inbox complete", () =>
    Effect.gen(function*() {
      const { ana, bia, inbox, member, open, say, setRole, ...club } = yield* openSupportClub
      const people = yield* Effect.replicateEffect(member("viewer"), 6)
      const id = idOf(yield* open(ana))
      yield* Effect.all([
        ...people.map((person) => setRole(person, "support")),
        ...Array.from({ length: 10 }, () => open(bia)),
        ...Array.from({ length: 10 }, () => say(ana, id))
      ], unbounded)
      yield* checkMarks(club)
      const all = listed(yield* inbox(), "id")
      for (const person of people) {
        const [unread, read] = [yield* inbox("?unread=true", person), yield* inbox("?unread=false", person)]
        assert.sameMembers([...listed(unread, "id"), ...listed(read, "id")], all)
      }
    }))

  it.effect("members who leave, students who are removed and all that is written leave every mark a true copy", () =>
    Effect.gen(function*() {
      const { ana, bia, change, dismiss, forget, inbox, member, open, ownRead, read, reply, say, setRole, ...club } =
        yield* openSupportClub
      yield* warmPool
      const [caio, dora] = [yield* member("support"), yield* member("support")]
      const ids = { ana: idOf(yield* open(ana)), also: idOf(yield* open(ana)), bia: idOf(yield* open(bia)) }
      const busy = Object.entries(ids).flatMap(([whose, id]) => {
        const student = whose === "bia" ? bia : ana
        return [
          say(student, id),
          change(id, { status: "pending", assignee_user_id: caio.id }),
          reply(id, "A", dora),
          read(id),
          ownRead(student, id),
          inbox(`?unread=true&assignee_user_id=${caio.id}`)
        ]
      })
      const answers = yield* Effect.all([
        ...busy,
        open(ana),
        dismiss(caio),
        ...busy,
        setRole(dora, "viewer"),
        forget(ana),
        ...busy,
        setRole(dora, "admin"),
        ...busy
      ], unbounded)
      assert.deepStrictEqual(answers.filter(({ status }) => status >= 500), [])
      yield* say(bia, ids.bia)
      yield* checkMarks(club)
      assert.deepStrictEqual(listed(yield* inbox("?unread=true"), "id"), [ids.bia])
      assert.deepStrictEqual(listed(yield* inbox(`?assignee_user_id=${caio.id}`), "id"), [])
    }))
})
