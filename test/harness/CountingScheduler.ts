import { Effect, Scheduler } from "effect"

/** A scheduler that knows whether anything is left to run. */
export const countingScheduler = () => {
  const parent = new Scheduler.MixedScheduler()
  const left = { tasks: 0 }
  const scheduler: Scheduler.Scheduler = {
    executionMode: parent.executionMode,
    shouldYield: (fiber) => parent.shouldYield(fiber),
    makeDispatcher: () => {
      const dispatcher = parent.makeDispatcher()
      return {
        scheduleTask: (task, priority) => {
          left.tasks += 1
          dispatcher.scheduleTask(() => {
            left.tasks -= 1
            task()
          }, priority)
        },
        flush: () => dispatcher.flush()
      }
    }
  }
  return { scheduler, left }
}

/** The event loop turns once. */
export const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
