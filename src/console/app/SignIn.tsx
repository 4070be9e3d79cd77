import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { turma } from "../../browser/client/Api.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { place, query, setQuery } from "../../browser/client/Location.ts"
import { codeIn } from "../../browser/client/MailedCode.ts"
import { Choices } from "../../browser/parts/Choices.tsx"
import { Dialog } from "../../browser/parts/Dialog.tsx"
import { TextField } from "../../browser/parts/Fields.tsx"
import { useForm } from "../../browser/parts/Form.ts"
import { signIn, signInWithCode } from "../club/Session.ts"

const words = spoken(
  {
    account: "Create an account",
    again: "Your session has ended",
    againText: "Sign in again to go on where you are. Your entries are still here.",
    ask: "Mail me a code",
    asked: "If the address has an account, a code is on its way.",
    code: "Code",
    codeHint: "It is in the mail, after “code=” in the link, and lasts 15 minutes.",
    email: "E-mail",
    emailHint: "The address that received the mail.",
    forgot: "Forgot your password?",
    intro: "The dashboard of your club.",
    linked: "The code from the mail is filled in and works once. Enter your address to sign in with it.",
    mailed: "Sign in with a mailed code",
    password: "Password",
    signIn: "Sign in",
    withPassword: "Sign in with a password"
  },
  {
    account: "Criar uma conta",
    again: "Sua sessão terminou",
    againText: "Entre de novo para continuar de onde parou. O que você digitou continua aqui.",
    ask: "Enviar um código por e-mail",
    asked: "Se houver uma conta com esse e-mail, o código está a caminho.",
    code: "Código",
    codeHint: "Está no e-mail, depois de “code=” no link, e vale por 15 minutos.",
    email: "E-mail",
    emailHint: "O endereço que recebeu o e-mail.",
    forgot: "Esqueceu a senha?",
    intro: "O painel do seu clube.",
    linked: "O código do e-mail já está preenchido e funciona uma única vez. Informe seu e-mail para entrar.",
    mailed: "Entrar com um código enviado por e-mail",
    password: "Senha",
    signIn: "Entrar",
    withPassword: "Entrar com senha"
  }
)

const WithPassword = () => {
  const form = useForm({
    values: { email: "", password: "" },
    send: (value) => signIn(value("email").trim(), value("password"))
  })
  return (
    <form class="stack" onSubmit={form.submit}>
      <TextField
        form={form}
        name="email"
        label={said(words).email}
        type="email"
        autocomplete="username"
        required
        autofocus
      />
      <TextField
        form={form}
        name="password"
        label={said(words).password}
        type="password"
        autocomplete="current-password"
        required
      />
      <button type="submit" aria-busy={form.isRunning}>{said(words).signIn}</button>
    </form>
  )
}

const WithCode = () => {
  const isAsked = useSignal(false)
  const asking = useForm({
    values: { email: "" },
    send: async (value) => {
      await turma.adminAuth.access({ body: { email: value("email").trim() } })
      isAsked.value = true
    }
  })
  const entering = useForm({
    values: { code: "" },
    send: (value) => signInWithCode(asking.value("email").trim(), codeIn(value("code")))
  })
  return (
    <div class="stack">
      <form class="stack" onSubmit={asking.submit}>
        <TextField
          form={asking}
          name="email"
          label={said(words).email}
          type="email"
          autocomplete="username"
          required
          autofocus
        />
        <button type="submit" class={isAsked.value ? "quiet" : ""} aria-busy={asking.isRunning}>
          {said(words).ask}
        </button>
      </form>
      {isAsked.value && (
        <form class="stack" onSubmit={entering.submit}>
          <p class="notice" role="status">{said(words).asked}</p>
          <TextField
            form={entering}
            name="code"
            label={said(words).code}
            hint={said(words).codeHint}
            autocomplete="one-time-code"
            required
          />
          <button type="submit" aria-busy={entering.isRunning}>{said(words).signIn}</button>
        </form>
      )}
    </div>
  )
}

/**
 * Signs in with the code of a link. It asks for the address of the mail with the code. Otherwise a link from somebody
 * else would sign the person in to a foreign account.
 */
const WithLink = ({ code }: { readonly code: string }) => {
  const form = useForm({ values: { email: "" }, send: (value) => signInWithCode(value("email").trim(), code) })
  return (
    <form class="stack" onSubmit={form.submit}>
      <p class="notice">{said(words).linked}</p>
      <TextField
        form={form}
        name="email"
        label={said(words).email}
        hint={said(words).emailHint}
        type="email"
        autocomplete="username"
        required
        autofocus
      />
      <button type="submit" aria-busy={form.isRunning}>{said(words).signIn}</button>
    </form>
  )
}

const Ways = ({ code }: { readonly code?: string | undefined }) => {
  const isByCode = useSignal(false)
  const isByLink = useSignal(code !== undefined)
  if (code !== undefined && isByLink.value) {
    return (
      <div class="stack">
        <WithLink code={code} />
        <button type="button" class="link" onClick={() => (isByLink.value = false)}>{said(words).withPassword}</button>
      </div>
    )
  }
  return (
    <div class="stack">
      {isByCode.value ? <WithCode /> : <WithPassword />}
      <button type="button" class="link" onClick={() => (isByCode.value = !isByCode.peek())}>
        {isByCode.value ? said(words).withPassword : said(words).mailed}
      </button>
    </div>
  )
}

/** The sign-in before any page. Afterwards the page of the address appears. */
export const SignIn = () => {
  const code = useSignal(place.peek().path.replace(/\/$/, "") === "/console" ? query.peek().get("code") : null).peek()
  // Nobody finds it in the address or the history afterwards.
  useEffect(() => {
    if (code !== null) setQuery({ code: undefined })
  }, [code])
  useEffect(() => {
    document.title = `${said(words).signIn} · Turma`
  }, [said(words)])
  return (
    <main id="content" class="door" data-path={place.value.path}>
      <div class="card stack">
        <header>
          <h1>Turma</h1>
          <p class="soft">{said(words).intro}</p>
        </header>
        <Ways code={code ?? undefined} />
        <ul class="ways">
          <li>
            <a href="/account/forgot">{said(words).forgot}</a>
          </li>
          <li>
            <a href="/account/sign-up">{said(words).account}</a>
          </li>
        </ul>
      </div>
      <Choices />
    </main>
  )
}

/** The same over a page whose session was ended elsewhere, which stays as it is below. */
export const SignInAgain = () => (
  <Dialog title={said(words).again} onClose={() => {}} stays>
    <p>{said(words).againText}</p>
    <Ways />
  </Dialog>
)
