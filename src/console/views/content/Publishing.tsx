import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { said, spoken } from "../../../browser/client/Language.ts"
import { currentMillis, timestampOf } from "../../../browser/client/Time.ts"
import { Badge, type Tone } from "../../../browser/parts/Badge.tsx"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { SelectField, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { clock } from "../../../browser/parts/Moment.tsx"
import { clubHint, clubMoment, clubTime } from "../../club/ClubZone.ts"
import { type Publication, publicationOf } from "./publication.ts"

const words = spoken(
  {
    at: "When",
    change: "Publication",
    draft: "Draft",
    later: "At a later time",
    live: "Live",
    never: "Never: a draft",
    now: "Now",
    save: "Save",
    saved: "Saved",
    scheduled: (moment: string) => `From ${moment}`,
    title: "Who sees it",
    when: "Students who have it see it"
  },
  {
    at: "Quando",
    change: "Publicação",
    draft: "Rascunho",
    later: "Em uma data futura",
    live: "No ar",
    never: "Nunca: um rascunho",
    now: "Agora",
    save: "Salvar",
    saved: "Salvo",
    scheduled: (moment: string) => `A partir de ${moment}`,
    title: "Quem vê",
    when: "Os alunos que têm acesso veem"
  }
)

const tones: Readonly<Record<Publication, Tone>> = { draft: "quiet", scheduled: "waiting", live: "good" }

/** True if students see it. */
export const PublicationBadge = ({ published_at }: { readonly published_at: string | null }) => {
  const state = publicationOf({ published_at }, clock.value)
  return (
    <Badge tone={tones[state]}>
      {state === "draft"
        ? said(words).draft
        : state === "live"
        ? said(words).live
        : said(words).scheduled(clubTime(published_at ?? ""))}
    </Badge>
  )
}

const momentOf = (when: string, at: string) =>
  when === "never" ? null : when === "now" ? timestampOf(currentMillis()) : clubMoment(at)

const PublishingDialog = ({ children, onClose, publish, published_at }: PublishingProps & { onClose: () => void }) => {
  const form = useForm({
    values: { when: published_at === null ? "now" : "never", published_at: "" },
    send: async (value) => {
      await publish(momentOf(value("when"), value("published_at")))
      onClose()
    },
    done: said(words).saved
  })
  return (
    <Dialog title={said(words).title} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <SelectField
          form={form}
          name="when"
          label={said(words).when}
          choices={[
            { value: "now", label: said(words).now },
            { value: "later", label: said(words).later },
            { value: "never", label: said(words).never }
          ]}
        />
        {form.value("when") === "later" && (
          <TextField
            form={form}
            name="published_at"
            label={said(words).at}
            hint={clubHint()}
            type="datetime-local"
            required
          />
        )}
        {form.value("when") === "never" && children}
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).save}</button>
        </div>
      </form>
    </Dialog>
  )
}

interface PublishingProps {
  readonly published_at: string | null
  readonly publish: (published_at: string | null) => Promise<unknown>
  /** The consequence of making it a draft again. */
  readonly children?: ComponentChildren
}

/** A button that publishes, schedules or takes back. */
export const Publishing = (props: PublishingProps) => {
  const isOpen = useSignal(false)
  return (
    <>
      {
        // Of a draft it is the next thing to do.
      }
      <button
        type="button"
        class={props.published_at === null ? "" : "quiet"}
        onClick={() => (isOpen.value = true)}
      >
        {said(words).change}
      </button>
      {isOpen.value && <PublishingDialog {...props} onClose={() => (isOpen.value = false)} />}
    </>
  )
}
