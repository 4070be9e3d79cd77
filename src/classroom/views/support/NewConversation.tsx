import { useLayoutEffect, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { said } from "../../../browser/client/Language.ts"
import { go, place } from "../../../browser/client/Location.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { TextArea, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { mayMoveFocus } from "../../club/focus.ts"
import { clubId, ofClub, to } from "../../club/View.ts"
import { keeping } from "./keeping.ts"
import { UnderWay } from "./Messages.tsx"
import { words } from "./words.ts"

/** A question to the team. It stands there as a conversation at once, and is back in its fields if it was not sent. */
export default function NewConversation() {
  const shown = useRef<HTMLFormElement>(null)
  const wasRunning = useRef(false)
  const subject = useDraft("support/new/subject")
  const body = useDraft("support/new/body")
  const form = keeping(
    useForm({
      values: { subject: subject.text, body: body.text },
      send: async (value) => {
        const { path } = place.peek()
        const { data } = await turma.classroomSupport.open({
          ...ofClub,
          body: { subject: value("subject"), body: value("body") }
        })
        subject.clear()
        body.clear()
        changed(`${clubId}/support`)
        if (place.peek().path === path) go(to("support", data.id), { replace: true })
      },
      done: said(words).opened
    }),
    { subject, body }
  )
  useLayoutEffect(() => {
    if (wasRunning.current && !form.isRunning && mayMoveFocus(shown.current)) {
      shown.current?.querySelector("textarea")?.focus()
    }
    wasRunning.current = form.isRunning
  }, [form.isRunning])
  const title = form.isRunning ? form.value("subject") : said(words).ask
  return (
    <>
      <PageHead title={title} above={[{ label: said(words).title, to: to("support") }]} />
      {form.isRunning && (
        <section class="thread messages" aria-label={said(words).conversation}>
          <ol class="plain-list">
            <UnderWay text={form.value("body")} />
          </ol>
        </section>
      )}
      <div hidden={form.isRunning}>
        <form class="card stack narrow" ref={shown} onSubmit={form.submit}>
          <TextField
            form={form}
            name="subject"
            label={said(words).about}
            hint={said(words).aboutHint}
            maxLength={200}
            required
          />
          <TextArea
            form={form}
            name="body"
            label={said(words).message}
            hint={said(words).messageHint}
            maxLength={5000}
            rows={6}
            required
          />
          <div class="actions">
            <button type="submit" aria-busy={form.isRunning}>{said(words).send}</button>
          </div>
        </form>
      </div>
    </>
  )
}
