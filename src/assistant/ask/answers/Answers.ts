import { Context, DateTime, Duration, Effect, Exit, Layer, Option, Schedule, Stream } from "effect"
import { MaterialChanges } from "../../material/changes/MaterialChanges.ts"
import { Assistant, type Question } from "../../providers/Assistant.ts"
import { type Draft, makeDraft } from "./AnswerDraft.ts"
import { completed, type Ending, endingOf, failed, patience } from "./AnswerEnding.ts"
import { Endings } from "./AnswerEndings.ts"
import { AnswersRepo, type Claimed } from "./AnswersRepo.ts"

/** Between two writes of a growing answer; whoever reads along sees it at most this much later. */
const saveEvery = Duration.millis(150)

/** Between two signs of life, while the assistant says nothing. */
const renewEvery = Duration.seconds(5)

/** Between two looks whether the answer is still wanted: an end that another process wrote ends the model's call this much later. */
const lookEvery = Duration.millis(250)

/** Generates answers: any process that does it can take over from any other. */
export class Answers extends Context.Service<Answers, {
  /** So many that wait, each claimed for this process. */
  claim(limit: number): Effect.Effect<ReadonlyArray<Claimed>>
  /**
   * Has the assistant answer, and writes down what it says while it says it. Ends when the answer has ended, here or
   * elsewhere. What is cut off or dies is left to the next claim.
   */
  generate(claimed: Claimed): Effect.Effect<void>
}>()("turma/assistant/Answers") {
  static readonly layerNoDeps = Layer.effect(
    Answers,
    Effect.gen(function*() {
      const repo = yield* AnswersRepo
      const assistant = yield* Assistant
      const material = yield* MaterialChanges
      const endings = yield* Endings

      /** To the last word, or to the failure. An answer without a word is none. */
      const listen = (question: Question, draft: Draft, left: Duration.Duration): Effect.Effect<Ending> =>
        material.settled(question.club_id, question.lesson_id).pipe(
          Effect.andThen(Stream.runForEach(assistant.answer(question), draft.add)),
          Effect.map(() => draft.read().content === "" ? failed("provider_unavailable") : completed),
          Effect.catchTag("AnswerFailed", ({ code }) => Effect.succeed(failed(code))),
          Effect.timeoutOrElse({ duration: left, orElse: () => Effect.succeed(failed("timeout")) })
        )

      // Both end when the answer is no longer this claim's: canceled, taken over, or gone. The row is all there is to know.
      const watch = (claimed: Claimed) =>
        repo.isHeld(claimed).pipe(
          Effect.repeat({ while: (held) => held, schedule: Schedule.spaced(lookEvery) }),
          Effect.as(undefined)
        )

      const writeDown = Effect.fnUntraced(function*(claimed: Claimed, draft: Draft) {
        const save = Effect.uninterruptible(Effect.suspend(() => repo.save(claimed, draft.read())))
        const news = Effect.raceFirst(draft.changed, Effect.sleep(renewEvery))
        while (yield* Effect.andThen(news, save)) yield* Effect.sleep(saveEvery)
        return undefined
      })

      const answer = Effect.fnUntraced(function*(claimed: Claimed, left: Duration.Duration) {
        const question = yield* repo.question(claimed)
        if (Option.isNone(question)) return
        const draft = yield* makeDraft
        const ending = yield* Effect.raceAllFirst([
          listen(question.value, draft, left),
          writeDown(claimed, draft),
          watch(claimed)
        ])
        if (ending !== undefined) yield* endings.end(claimed, ending, { tries: claimed.tries, ...draft.read() })
      })

      const generate = Effect.fn("Answers.generate")(function*(claimed: Claimed) {
        const age = DateTime.distance(claimed.created_at, yield* DateTime.now)
        const ending = endingOf({ tries: claimed.tries, hasText: claimed.has_text, age })
        const done = ending === undefined
          ? answer(claimed, Duration.subtract(patience, age))
          : endings.end(claimed, ending)
        yield* Effect.onExit(Effect.asVoid(done), (exit) => Exit.isSuccess(exit) ? Effect.void : repo.release(claimed))
      })

      return Answers.of({ claim: repo.claim, generate })
    })
  )

  /** Still asking for who answers. */
  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([AnswersRepo.layer, Endings.layer, MaterialChanges.layer])
  )
}
