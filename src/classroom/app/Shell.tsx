import { isOnline, session } from "../../browser/client/Api.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { site } from "../../browser/client/Site.ts"
import { Choices } from "../../browser/parts/Choices.tsx"
import { Failure } from "../../browser/parts/States.tsx"
import { Toasts } from "../../browser/parts/Toasts.tsx"
import { askWho, me, meFailure } from "../club/Session.ts"
import { Enter, EnterAgain, Greeting } from "./Enter.tsx"
import { Frame } from "./Frame.tsx"
import { mailedPage } from "./Mailed.tsx"

const words = spoken(
  {
    offline: "You are offline. This page keeps your text.",
    skip: "Skip to the content"
  },
  {
    offline: "Sem conexão. O que você escreve fica guardado.",
    skip: "Ir para o conteúdo"
  }
)

/** Until it is known whether somebody is signed in. */
const Unknown = () => {
  const failure = meFailure.value
  if (failure === undefined) {
    return (
      <main class="loading">
        <h1 class="visually-hidden">{site.name}</h1>
      </main>
    )
  }
  return (
    <main id="content" class="door">
      <div class="door-form stack">
        <Greeting />
        <Failure error={failure} again={() => void askWho()} />
      </div>
      <Choices />
    </main>
  )
}

const Content = () => {
  const person = me.value
  const mailed = mailedPage()
  if (mailed !== undefined) return mailed()
  if (person === undefined) return session.value === "closed" ? <Enter /> : <Unknown />
  return (
    <div key={person.id} class="contents">
      <Frame />
      {session.value === "closed" && <EnterAgain />}
    </div>
  )
}

/** The whole classroom of a club. Without a session it asks for a sign-in first, at the same address. */
export const Shell = () => (
  <>
    <a class="skip" href="#content">{said(words).skip}</a>
    {!isOnline.value && <p class="banner" role="status">{said(words).offline}</p>}
    <Content />
    <Toasts />
  </>
)
