import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { turma } from "../../browser/client/Api.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { site } from "../../browser/client/Site.ts"
import { Choices } from "../../browser/parts/Choices.tsx"
import { Dialog } from "../../browser/parts/Dialog.tsx"
import { TextField } from "../../browser/parts/Fields.tsx"
import { useForm } from "../../browser/parts/Form.ts"
import { signIn, signInWithCode } from "../club/Session.ts"
import { clubId } from "../club/View.ts"

const words = spoken(
  {
    again: "Your session has ended",
    againText: "Sign in again to go on where you are. Your text is still here.",
    asked: (email: string) =>
      `If ${email} is enrolled here, a mail with a link is on its way. Open it in this browser, or paste its code below.`,
    code: "Code from the mail",
    email: "E-mail",
    enter: "Sign in",
    forgot: "Forgot your password?",
    goOn: "Continue",
    intro: "Enter the e-mail address that you bought or signed up with.",
    mail: "Mail me a link",
    other: "Another address",
    password: "Password",
    signUp: "Create an account",
    title: "Sign in",
    withPassword: "Use my password"
  },
  {
    again: "Sua sessão terminou",
    againText: "Entre de novo para continuar de onde parou. O que você digitou continua aqui.",
    asked: (email: string) =>
      `Se ${email} tem acesso aqui, um e-mail com o link já está a caminho. Abra o link neste navegador ou cole o código abaixo.`,
    code: "Código do e-mail",
    email: "E-mail",
    enter: "Entrar",
    forgot: "Esqueceu a senha?",
    goOn: "Continuar",
    intro: "Informe o e-mail que você usou na compra ou no cadastro.",
    mail: "Receber um link por e-mail",
    other: "Usar outro e-mail",
    password: "Senha",
    signUp: "Criar uma conta",
    title: "Entrar",
    withPassword: "Entrar com senha"
  }
)

/** The code, whether it was copied alone or with its link. */
const codeIn = (text: string) => /[?&#]code=([^&#\s]+)/.exec(text)?.[1] ?? text.trim()

const WithPassword = ({ email }: { readonly email: string }) => {
  const form = useForm({ values: { password: "" }, send: (value) => signIn(email, value("password")) })
  return (
    <form class="stack" onSubmit={form.submit}>
      <input class="visually-hidden" type="email" autocomplete="username" value={email} readOnly tabIndex={-1} />
      <TextField
        form={form}
        name="password"
        label={said(words).password}
        type="password"
        autocomplete="current-password"
        required
        autofocus
      />
      <button type="submit" aria-busy={form.isRunning}>{said(words).enter}</button>
    </form>
  )
}

const WithCode = ({ email }: { readonly email: string }) => {
  const form = useForm({ values: { code: "" }, send: (value) => signInWithCode(email, codeIn(value("code"))) })
  return (
    <form class="stack" onSubmit={form.submit}>
      <p class="notice" role="status">{said(words).asked(email)}</p>
      <TextField form={form} name="code" label={said(words).code} autocomplete="one-time-code" required autofocus />
      <button type="submit" aria-busy={form.isRunning}>{said(words).enter}</button>
    </form>
  )
}

/** After the address: a mailed code, or a password. */
const Ways = () => {
  const email = useSignal<string | undefined>(undefined)
  const way = useSignal<"choose" | "code" | "password">("choose")
  const address = useForm({
    values: { email: "" },
    send: async (value) => {
      email.value = value("email").trim()
    }
  })
  const mail = useForm({
    send: async () => {
      await turma.studentAuth.access({ body: { club_id: clubId, email: email.peek() ?? "" } })
      way.value = "code"
    }
  })
  const known = email.value
  if (known === undefined) {
    return (
      <form class="stack" onSubmit={address.submit}>
        <p class="soft">{said(words).intro}</p>
        <TextField
          form={address}
          name="email"
          label={said(words).email}
          type="email"
          autocomplete="username"
          required
          autofocus
        />
        <button type="submit">{said(words).goOn}</button>
      </form>
    )
  }
  return (
    <div class="stack">
      <p class="known">
        <span dir="auto">{known}</span>
        <button
          type="button"
          class="link"
          onClick={() => {
            email.value = undefined
            way.value = "choose"
          }}
        >
          {said(words).other}
        </button>
      </p>
      {way.value === "password" && <WithPassword email={known} />}
      {way.value === "code" && <WithCode email={known} />}
      {way.value === "choose" && (
        <form class="stack" onSubmit={mail.submit}>
          <button type="submit" aria-busy={mail.isRunning}>{said(words).mail}</button>
        </form>
      )}
      {way.value !== "password" && (
        <button type="button" class="quiet" onClick={() => (way.value = "password")}>{said(words).withPassword}</button>
      )}
      {way.value === "password" && (
        <form class="stack" onSubmit={mail.submit}>
          <button type="submit" class="quiet" aria-busy={mail.isRunning}>{said(words).mail}</button>
        </form>
      )}
    </div>
  )
}

/** The sign-in before any view. Afterwards the view of the address appears. */
export const Enter = () => {
  useEffect(() => {
    document.title = `${said(words).title} · ${site.name}`
  }, [said(words)])
  return (
    <main id="content" class="door">
      <div class="card stack">
        <h1 dir="auto">{site.name}</h1>
        <Ways />
        <ul class="ways">
          <li>
            <a target="_self" href={`${site.root}/forgot`}>{said(words).forgot}</a>
          </li>
          <li>
            <a target="_self" href={`${site.root}/sign-up`}>{said(words).signUp}</a>
          </li>
        </ul>
      </div>
      <Choices />
    </main>
  )
}

/** The same over a view whose session was ended elsewhere, which stays as it is below. */
export const EnterAgain = () => (
  <Dialog title={said(words).again} onClose={() => {}} stays>
    <p>{said(words).againText}</p>
    <Ways />
  </Dialog>
)
