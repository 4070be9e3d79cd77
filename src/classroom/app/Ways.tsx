import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { turma } from "../../browser/client/Api.ts"
import { said } from "../../browser/client/Language.ts"
import { codeIn } from "../../browser/client/MailedCode.ts"
import { ActionButton } from "../../browser/parts/ActionButton.tsx"
import { TextField } from "../../browser/parts/Fields.tsx"
import { useForm } from "../../browser/parts/Form.ts"
import { signIn, signInWithCode } from "../club/Session.ts"
import { clubId } from "../club/View.ts"
import { wantedPage } from "./wanted.ts"
import { words } from "./words.ts"

const askForMail = (email: string) => {
  const next = wantedPage()
  return turma.studentAuth.access({ body: { club_id: clubId, email, ...next === "" ? {} : { next } } })
}

/** One of the steps: to choose how, or one of both ways. */
type Step = "choose" | "code" | "password"

const Address = ({ onKnown }: { readonly onKnown: (email: string) => void }) => {
  const form = useForm({ values: { email: "" }, send: async (value) => onKnown(value("email").trim()) })
  return (
    <form class="stack" onSubmit={form.submit}>
      <p class="soft">{said(words).intro}</p>
      <TextField
        form={form}
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

const WithPassword = ({ email }: { readonly email: string }) => {
  const form = useForm({ values: { password: "" }, send: (value) => signIn(email, value("password")) })
  return (
    <form class="stack" onSubmit={form.submit}>
      <input hidden type="email" autocomplete="username" value={email} readOnly />
      <TextField
        form={form}
        name="password"
        label={said(words).password}
        type="password"
        autocomplete="current-password"
        required
      />
      <button type="submit" aria-busy={form.isRunning}>{said(words).enter}</button>
    </form>
  )
}

const WithCode = ({ email }: { readonly email: string }) => {
  const form = useForm({ values: { code: "" }, send: (value) => signInWithCode(email, codeIn(value("code"))) })
  return (
    <form class="stack" onSubmit={form.submit}>
      <p class="notice" role="status">
        <strong>{said(words).asked}</strong>
        {said(words).askedText}
      </p>
      <TextField
        form={form}
        name="code"
        label={said(words).code}
        hint={said(words).notThere}
        autocomplete="one-time-code"
        required
      />
      <button type="submit" aria-busy={form.isRunning}>{said(words).enter}</button>
      <ActionButton isQuiet done={said(words).sent} work={() => askForMail(email)}>
        {said(words).mailAgain}
      </ActionButton>
    </form>
  )
}

const Choose = ({ email, onSent }: { readonly email: string; readonly onSent: () => void }) => {
  const form = useForm({
    send: async () => {
      await askForMail(email)
      onSent()
    }
  })
  return (
    <form class="stack" onSubmit={form.submit}>
      <button type="submit" autoFocus aria-busy={form.isRunning}>{said(words).mail}</button>
      <p class="soft small">{said(words).mailText}</p>
    </form>
  )
}

/** The ways in, one step after another. The e-mail address comes first, unless it is known. */
export const Ways = ({ known }: { readonly known: string | undefined }) => {
  const email = useSignal(known)
  const step = useSignal<Step>("choose")
  const around = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  // The button that led to this step had the focus, and is no longer there.
  useLayoutEffect(() => {
    if (isFirst.current) isFirst.current = false
    else around.current?.querySelector<HTMLElement>("form input:not([readonly]), form button")?.focus()
  }, [email.value, step.value])
  const address = email.value
  return (
    <div class="stack" ref={around}>
      {address === undefined ? <Address onKnown={(entered) => (email.value = entered)} /> : (
        <>
          <p class="known">
            <span dir="auto">{address}</span>
            <button
              type="button"
              class="link"
              onClick={() => {
                email.value = undefined
                step.value = "choose"
              }}
            >
              {said(words).other}
            </button>
          </p>
          {step.value === "password"
            ? <WithPassword email={address} />
            : step.value === "code"
            ? <WithCode email={address} />
            : <Choose email={address} onSent={() => (step.value = "code")} />}
          {step.value === "password"
            ? <button type="button" class="link" onClick={() => (step.value = "choose")}>{said(words).mail}</button>
            : (
              <button type="button" class="link" onClick={() => (step.value = "password")}>
                {said(words).withPassword}
              </button>
            )}
        </>
      )}
    </div>
  )
}
