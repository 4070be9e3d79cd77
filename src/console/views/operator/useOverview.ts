import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { askExchange } from "../../../browser/client/Api.ts"
import { useVisibleInterval } from "../../../browser/client/Interval.ts"
import { said } from "../../../browser/client/Language.ts"
import { failureOf } from "../../../browser/client/Reads.ts"
import { ownCode } from "../../../browser/client/Refusals.ts"
import { currentMillis } from "../../../browser/client/Time.ts"
import { TurmaError } from "../../../sdk/index.ts"
import { type Sample, withSample } from "./ages.ts"
import { type Overview, overviewOf } from "./overview.ts"
import { words } from "./words.ts"

/** In milliseconds. */
const every = 5000

/** A wrong secret has the status of a missing session. */
const enterWith = (secret: string) =>
  askExchange("POST", "operator", { secret }).catch((thrown: unknown) => {
    const failure = failureOf(thrown)
    throw failure.status === 401 ? new TurmaError({ code: ownCode, message: said(words).secretWrong }) : failure
  })

/** The operator's data, and whether the person is an operator. */
export interface Operations {
  readonly overview: Overview | undefined
  readonly samples: ReadonlyArray<Sample>
  readonly error: TurmaError | undefined
  /** True if the view has to ask for the secret. */
  readonly isOut: boolean
  readonly enter: (secret: string) => Promise<void>
  readonly leave: () => Promise<void>
  readonly refresh: () => void
}

const sampleOf = ({ queues = [], recorded, webhooks }: Overview): Sample => ({
  at: currentMillis(),
  ...(recorded === undefined ? {} : { recorded }),
  ages: Object.fromEntries([
    ...queues.map(({ name, oldest_seconds }) => [name, oldest_seconds]),
    ...(webhooks === undefined ? [] : [["webhook_deliveries", webhooks.deliveries.oldest_seconds]])
  ])
})

/** How the service stands, again and again while the page is looked at. */
export const useOverview = (): Operations => {
  const overview = useSignal<Overview | undefined>(undefined)
  const samples = useSignal<ReadonlyArray<Sample>>([])
  const error = useSignal<TurmaError | undefined>(undefined)
  const isOut = useSignal(false)
  const asking = useRef<symbol | undefined>(undefined)
  // A person who enters or leaves gets no answer to an earlier request.
  const forget = () => {
    asking.current = undefined
  }

  const read = async () => {
    if (asking.current !== undefined) return
    const own = Symbol()
    asking.current = own
    try {
      const found = overviewOf(await askExchange("GET", "operator/overview"))
      if (asking.current !== own) return
      overview.value = found
      samples.value = withSample(samples.peek(), sampleOf(found))
      error.value = undefined
      isOut.value = false
    } catch (thrown) {
      if (asking.current !== own) return
      const failure = failureOf(thrown)
      isOut.value = failure.status === 401
      error.value = failure.status === 401 ? undefined : failure
    } finally {
      if (asking.current === own) forget()
    }
  }
  useEffect(() => void read(), [])
  useVisibleInterval(every, () => {
    if (!isOut.peek()) void read()
  })
  return {
    overview: overview.value,
    samples: samples.value,
    error: error.value,
    isOut: isOut.value,
    enter: async (secret) => {
      await enterWith(secret)
      forget()
      await read()
    },
    leave: async () => {
      await askExchange("DELETE", "operator")
      forget()
      overview.value = undefined
      samples.value = []
      isOut.value = true
    },
    refresh: () => void read()
  }
}
