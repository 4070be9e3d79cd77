import { Context, DateTime, Duration, Effect, Exit, Layer, Option, Schedule, Stream } from "effect"
import { MaterialChanges } from "../../material/changes/MaterialChanges.ts"
import { Assistant, type Question } from "../../providers/Assistant.ts"
import { type AnswerDraft, makeAnswerDraft } from "./AnswerDraft.ts"
import { answerTimeLimit, completed, type Ending, endingOf, failed } from "./AnswerEnding.ts"
import { AnswerEndings } from "./AnswerEndings.ts"
import { type AnswerClaim, AnswersRepo } from "./AnswersRepo.ts"
import { citingLesson } from "./CitedLesson.ts"

/** The time between two writes of a growing answer; streams show it at most this much later. */
const saveEvery = Duration.millis(150)

/** The time between two renewals of the lease while the assistant says nothing. */
const renewEvery = Duration.seconds(5)

/**
 * The time between two checks of the claim. If another process ends the answer, this one stops at most this much later.
 */
const checkEvery = Duration.millis(250)

/** Generates answers. Any process can take over from any other. */
export class Answers extends Context.Service<Answers, {
  /** Claims up to `limit` waiting answers for this process. */
  claim(limit: number): Effect.Effect<ReadonlyArray<AnswerClaim>>
  /**
   * Runs the assistant, and stores the answer while it grows. Ends when the answer has ended, here or in another
   * process. If the generation is interrupted or dies, the next claim continues.
   */
  generate(claim: AnswerClaim): Effect.Effect<void>
}>()("turma/assistant/ask/answers/Answers") {
  static readonly layerNoDeps = Layer.effect(
    Answers,
    Effect.gen(function*() {
      const repo = yield* AnswersRepo
      const assistant = yield* Assistant
      const material = yield* MaterialChanges
      const endings = yield* AnswerEndings

      /** Fills the draft until the answer ends. An answer without text counts as a failure. */
      const fillDraft = (question: Question, draft: AnswerDraft, timeLeft: Duration.Duration): Effect.Effect<Ending> =>
        material.settled(question.club_id, question.lesson_id).pipe(
          Effect.andThen(Stream.runForEach(assistant.answer(question), draft.add)),
          Effect.map(() => draft.read().content === "" ? failed("provider_unavailable") : completed),
          Effect.catchTag("AnswerFailed", ({ code }) => Effect.succeed(failed(code))),
          Effect.timeoutOrElse({ duration: timeLeft, orElse: () => Effect.succeed(failed("timeout")) })
        )

      // This and `saveDraft` end when the claim does not hold any more: the answer was canceled, claimed by another
      // worker, or deleted.
      const untilLost = (claim: AnswerClaim) =>
        repo.isLeased(claim).pipe(
          Effect.repeat({ while: (isLeased) => isLeased, schedule: Schedule.spaced(checkEvery) }),
          Effect.as(undefined)
        )

      const saveDraft = Effect.fnUntraced(function*(claim: AnswerClaim, draft: AnswerDraft) {
        const save = Effect.uninterruptible(Effect.suspend(() => repo.save(claim, draft.read())))
        const changedOrDue = Effect.raceFirst(draft.changed, Effect.sleep(renewEvery))
        while (yield* Effect.andThen(changedOrDue, save)) yield* Effect.sleep(saveEvery)
        return undefined
      })

      const answer = Effect.fnUntraced(function*(claim: AnswerClaim, timeLeft: Duration.Duration) {
        const asked = yield* repo.question(claim)
        if (Option.isNone(asked)) return
        const { lesson_public_id, ...question } = asked.value
        const draft = yield* makeAnswerDraft
        const ending = yield* Effect.raceAllFirst([
          fillDraft(question, draft, timeLeft),
          saveDraft(claim, draft),
          untilLost(claim)
        ])
        if (ending === undefined) return
        const { citations, content } = draft.read()
        const cited = citingLesson(citations, { lesson_id: question.lesson_id, lesson_public_id })
        yield* endings.end(claim, ending, { tries: claim.tries, content, ...cited })
      })

      const generate = Effect.fn("Answers.generate")(function*(claim: AnswerClaim) {
        const age = DateTime.distance(claim.created_at, yield* DateTime.now)
        const ending = endingOf({ tries: claim.tries, hasText: claim.has_text, age })
        const done = ending === undefined
          ? answer(claim, Duration.subtract(answerTimeLimit, age))
          : endings.end(claim, ending)
        yield* Effect.onExit(Effect.asVoid(done), (exit) => Exit.isSuccess(exit) ? Effect.void : repo.release(claim))
      })

      return Answers.of({ claim: repo.claim, generate })
    })
  )

  /** Leaves `Assistant` to the caller. */
  static readonly layer = this.layerNoDeps
    .pipe(Layer.provide([AnswersRepo.layer, AnswerEndings.layer, MaterialChanges.layer]))
}
