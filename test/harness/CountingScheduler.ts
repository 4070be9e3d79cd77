import { Effect, Scheduler } from "effect"

/** A scheduler that counts the tasks it still has to run. */
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

/** Waits for one turn of the event loop. */
export const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
