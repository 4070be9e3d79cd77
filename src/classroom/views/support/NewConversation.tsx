import { turma } from "../../../browser/client/Api.ts"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { said } from "../../../browser/client/Language.ts"
import { go } from "../../../browser/client/Location.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { TextArea, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { clubId, ofClub, to } from "../../club/View.ts"
import { keeping } from "./keeping.ts"
import { words } from "./words.ts"

/** A question to the team. */
export default function NewConversation() {
  const subject = useDraft("support/new/subject")
  const body = useDraft("support/new/body")
  const form = keeping(
    useForm({
      values: { subject: subject.text, body: body.text },
      send: async (value) => {
        const { data } = await turma.classroomSupport.open({
          ...ofClub,
          body: { subject: value("subject"), body: value("body") }
        })
        subject.clear()
        body.clear()
        changed(`${clubId}/support`)
        go(to("support", data.id), { replace: true })
      },
      done: said(words).opened
    }),
    { subject, body }
  )
  return (
    <>
      <PageHead title={said(words).ask} above={[{ label: said(words).title, to: to("support") }]} />
      <form class="card stack narrow" onSubmit={form.submit}>
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
    </>
  )
}
