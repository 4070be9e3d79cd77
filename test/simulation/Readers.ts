import { Effect, Exit } from "effect"
import { StudentId } from "../../src/identity/ids/StudentId.ts"
import { timeOf } from "../../src/platform/sql/Uuid7.ts"
import { FeedPages } from "../../src/webhooks/events/feed/FeedPages.ts"
import type { Told } from "./Feeds.ts"
import type { Reader, Scene } from "./Scene.ts"
import { bodyAge, messageAge } from "./Transitions.ts"
import { Broken } from "./World.ts"

// Readers of the feeds. They read page by page and go on from the cursor they kept last.

const eventsOf = ({ world: { checks } }: Scene, { club, wanted: { student_id, type } }: Reader): ReadonlyArray<Told> =>
  checks.feeds.of(club.id).filter((told) =>
    (type === undefined || told.type === type) && (student_id === undefined || told.student === student_id)
  )

/** True if the event has no body any more. */
const isGone = ({ world: { checks, ground } }: Scene, event: string): boolean => {
  const message = checks.shadow.messages.get(event)
  return message === undefined || !message.hasBody || message.created <= ground.time.now() - bodyAge
}

const deliveriesOf = ({ world: { checks } }: Scene, event: string): string =>
  [...checks.shadow.deliveries.values()].filter((delivery) => delivery.event === event).map(({ id }) => id).toSorted()
    .join()

type Page = Effect.Success<ReturnType<FeedPages["Service"]["from"]>>["page"]

/** The state before the page was read. The page has all of it, and may have more. */
interface Before {
  readonly count: number
  readonly gone: ReadonlySet<string>
  readonly deliveries: ReadonlyMap<string, string>
}

const before = (scene: Scene, reader: Reader): Before => {
  const events = eventsOf(scene, reader)
  return {
    count: events.length,
    gone: new Set(events.map(({ event }) => event).filter((event) => isGone(scene, event))),
    deliveries: new Map(events.map(({ event }) => [event, deliveriesOf(scene, event)]))
  }
}

const judgePage = (scene: Scene, reader: Reader, { data, next_cursor }: Page, limit: number, was: Before): void => {
  const expected = eventsOf(scene, reader).slice(reader.seen)
  const least = Math.min(limit, was.count - reader.seen)
  if (data.length < least) throw new Broken(`A page of the feed has ${data.length} events of ${least}`)
  if (next_cursor === null && data.length < was.count - reader.seen) throw new Broken("A feed ends before its end")
  for (const [index, { deliveries, id, number, payload_purged }] of data.entries()) {
    const told = expected[index]
    if (told?.event !== id || told.number !== number) {
      throw new Broken(`A feed tells of ${id}, number ${number}, where ${told?.event}, number ${told?.number} follows`)
    }
    const mayBeGone = payload_purged && timeOf(id).epochMilliseconds <= scene.world.now() - messageAge
    if (payload_purged !== isGone(scene, id) && payload_purged !== was.gone.has(id) && !mayBeGone) {
      throw new Broken(`A feed tells of ${id} ${payload_purged ? "without" : "with"} its body`)
    }
    const shown = deliveries.map((delivery) => delivery.id).toSorted().join()
    if (shown !== deliveriesOf(scene, id) && shown !== was.deliveries.get(id)) {
      throw new Broken(`A feed tells of ${id} with the deliveries [${shown}] of [${was.deliveries.get(id)}]`)
    }
  }
}

/** Reads one page; false at the end. A reader that dies before it has kept the cursor reads the page again. */
const readPage = Effect.fnUntraced(function*(scene: Scene, reader: Reader, limit: number, keeps: boolean) {
  const was = before(scene, reader)
  const read = yield* scene.world.inApi(Effect.flatMap(FeedPages, (pages) =>
    pages.from(
      reader.club,
      reader.cursor === undefined ? {} : { cursor: reader.cursor },
      { limit, ...reader.wanted }
    )))
  if (read === undefined) return true
  if (Exit.isFailure(read)) throw new Broken(`A feed is not to be read: ${String(read.cause)}`)
  const { page } = read.value
  judgePage(scene, reader, page, limit, was)
  scene.world.checks.saw(keeps ? "feed read" : "feed read by one that dies")
  if (!keeps) return true
  reader.cursor = page.cursor
  reader.seen += page.data.length
  return page.next_cursor !== null
})

const newReader = (scene: Scene): Reader => {
  const { dice } = scene.world.ground
  const club = scene.club()
  const student = dice.pick(club.students)
  const wanted = dice.weighted<Reader["wanted"]>([
    [3, {}],
    [1, { type: "student.updated" }],
    [1, student === undefined ? {} : { student_id: StudentId.make(student) }]
  ])
  return { club, wanted, cursor: undefined, seen: 0 }
}

const mostReaders = 3

/** A random reader reads on. */
export const readFeed = Effect.fnUntraced(function*(scene: Scene) {
  const { dice } = scene.world.ground
  if (scene.readers.length < mostReaders && dice.chance(0.6)) scene.readers.push(newReader(scene))
  const reader = dice.pick(scene.readers)
  if (reader === undefined) return
  scene.world.note("a feed is read")
  for (let pages = dice.between(1, 3); pages > 0; pages--) {
    if (!(yield* readPage(scene, reader, dice.between(1, 6), dice.chance(0.8)))) return
  }
})

/** Every reader reads to the end, and has seen everything once. */
export const readFeeds = Effect.fnUntraced(function*(scene: Scene) {
  for (const reader of scene.readers) {
    while (yield* readPage(scene, reader, 50, true));
    const there = eventsOf(scene, reader).length
    if (reader.seen !== there) throw new Broken(`A reader has seen ${reader.seen} events of ${there}`)
  }
})
