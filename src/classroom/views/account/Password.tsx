import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { ActionButton } from "../../../browser/parts/ActionButton.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { PasswordFields } from "../../../browser/parts/PasswordFields.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubId } from "../../club/View.ts"
import { sessionsKey } from "./Sessions.tsx"
import { words } from "./words.ts"

const mailLink = (email: string) => turma.studentAuth.forgotPassword({ body: { club_id: clubId, email } })

const Change = ({ email }: { readonly email: string }) => {
  const form = useForm({
    values: { current_password: "", password: "" },
    send: async (value) => {
      await turma.passwords.changeStudentPassword({
        body: { current_password: value("current_password"), password: value("password") }
      })
      form.reset()
      changed(sessionsKey)
    },
    done: said(words).changed
  })
  return (
    <form class="card stack" onSubmit={form.submit}>
      <h2>{said(words).password}</h2>
      <input hidden type="email" autocomplete="username" value={email} readOnly />
      <PasswordFields form={form} />
      <div class="actions">
        <button type="submit" class="quiet" aria-busy={form.isRunning}>{said(words).change}</button>
      </div>
      <button
        type="button"
        class="link"
        onClick={() => void attempt(() => mailLink(email), said(words).mailed(email))}
      >
        {said(words).forgot}
      </button>
    </form>
  )
}

/** The password, or the way to a first one: a mailed link, as for a forgotten one. */
export const Password = ({ own: { email, has_password } }: { readonly own: Schemas["OwnAccount"] }) =>
  has_password ? <Change email={email} /> : (
    <section class="card stack" aria-labelledby="password">
      <h2 id="password">{said(words).password}</h2>
      <p class="soft">{said(words).firstPassword}</p>
      <div class="actions">
        <ActionButton isQuiet done={said(words).mailed(email)} work={() => mailLink(email)}>
          {said(words).makePassword}
        </ActionButton>
      </div>
    </section>
  )
