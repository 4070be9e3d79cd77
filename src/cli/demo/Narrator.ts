import { Console, Context, DateTime, Effect, Layer } from "effect"

/** The actor of a line: the viewer, the service, the receiver of webhooks, or the demo itself. */
export type Speaker = "demo" | "you" | "turma" | "receiver"

// The reader of a pipe may leave: that is a wish to stop like Ctrl-C, and everything is cleaned up.
const stopWithoutReader = Effect.sync(() => {
  process.stdout.once("error", () => process.kill(process.pid, "SIGTERM"))
  process.stdout.on("error", () => {})
})

/** Tells the story: a line each on standard output, with the time of day of this machine. */
export class Narrator extends Context.Service<Narrator, {
  say(speaker: Speaker, line: string): Effect.Effect<void>
  /** Opens a part of the story. */
  chapter(title: string): Effect.Effect<void>
}>()("turma/cli/demo/Narrator") {
  static readonly layer = Layer.effect(
    Narrator,
    Effect.gen(function*() {
      yield* stopWithoutReader
      const zone = DateTime.zoneMakeLocal()
      const clock = (now: DateTime.Utc) =>
        DateTime.format(DateTime.setZone(now, zone), { locale: "en-GB", timeStyle: "medium" })
      return Narrator.of({
        say: (speaker, line) =>
          Effect.flatMap(DateTime.now, (now) => Console.log(`${clock(now)}  ${speaker.padEnd(8)}  ${line}`)),
        chapter: (title) => Console.log(`\n${title}`)
      })
    })
  )
}

/** One line of the story. */
export const say = (speaker: Speaker, line: string) => Narrator.use((narrator) => narrator.say(speaker, line))

/** The headline of what comes next. */
export const chapter = (title: string) => Narrator.use((narrator) => narrator.chapter(title))
