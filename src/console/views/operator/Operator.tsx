import { said } from "../../../browser/client/Language.ts"
import { TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Failure, Loading } from "../../../browser/parts/States.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import type { Sample } from "./ages.ts"
import { Depths } from "./Depths.tsx"
import { Lanes } from "./Lanes.tsx"
import { type Overview, troublesOf } from "./overview.ts"
import { Queues } from "./Queues.tsx"
import { Rates } from "./Rates.tsx"
import { ServiceState } from "./ServiceState.tsx"
import { useOverview } from "./useOverview.ts"
import { words } from "./words.ts"

const Enter = ({ enter }: { readonly enter: (secret: string) => Promise<void> }) => {
  const form = useForm({ values: { secret: "" }, send: (value) => enter(value("secret")) })
  return (
    <form class="card stack narrow" onSubmit={form.submit}>
      <TextField
        form={form}
        name="secret"
        label={said(words).secret}
        hint={said(words).secretHint}
        type="password"
        autocomplete="off"
        required
      />
      <div class="actions">
        <button type="submit" aria-busy={form.isRunning}>{said(words).enter}</button>
      </div>
    </form>
  )
}

const Shown = ({ overview, samples }: { readonly overview: Overview; readonly samples: ReadonlyArray<Sample> }) => {
  const { queues, webhooks } = overview
  const all = [
    ...queues ?? [],
    ...(webhooks === undefined ? [] : [{ name: said(words).deliveries, ...webhooks.deliveries }])
  ]
  return (
    <>
      <ServiceState overview={overview} />
      <section class="stack" aria-labelledby="queues">
        <h2 id="queues">{said(words).queues}</h2>
        {queues === undefined && <p class="soft">{said(words).unknown}</p>}
        <Queues queues={all} samples={samples} />
      </section>
      {webhooks === undefined ? <p class="soft">{said(words).unknown}</p> : (
        <>
          <Rates quarters={webhooks.quarters} samples={samples} />
          <Depths lanes={webhooks.lanes} />
          <Lanes webhooks={webhooks} />
        </>
      )}
    </>
  )
}

/** The state of the service, for its operators. It names no person. */
export default function Operator() {
  const { enter, error, isOut, leave, overview, refresh, samples } = useOverview()
  const troubles = overview === undefined ? [] : troublesOf(overview)
  if (isOut) {
    return (
      <>
        <PageHead title={said(words).title} />
        <Enter enter={enter} />
      </>
    )
  }
  return (
    <>
      <PageHead
        title={said(words).title}
        actions={overview && (
          <button type="button" class="quiet" onClick={() => void attempt(leave)}>{said(words).leave}</button>
        )}
      >
        {overview && (
          <>
            {troubles.length === 0
              ? said(words).lead
              : troubles.map((trouble) => <strong key={trouble}>{said(words).troubles[trouble]}</strong>)}
            <p class="soft small">
              {said(words).version(overview.version)} · <Moment at={overview.now} />
            </p>
          </>
        )}
      </PageHead>
      {error?.status === 404 && <Empty title={said(words).none}>{said(words).noneText}</Empty>}
      {error !== undefined && error.status !== 404 && <Failure error={error} again={refresh} />}
      {overview !== undefined && <Shown overview={overview} samples={samples} />}
      {overview === undefined && error === undefined && <Loading />}
    </>
  )
}
