import type { JSX } from "preact"
import { isOnline, session } from "../../browser/client/Api.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { place } from "../../browser/client/Location.ts"
import { Choices } from "../../browser/parts/Choices.tsx"
import { lazy } from "../../browser/parts/lazy.tsx"
import { Headed } from "../../browser/parts/PageHead.tsx"
import { Failure } from "../../browser/parts/States.tsx"
import { Toasts } from "../../browser/parts/Toasts.tsx"
import { askWho, me, meFailure } from "../club/Session.ts"
import { ClubFrame } from "./ClubFrame.tsx"
import { Clubs } from "./Clubs.tsx"
import { FoundClub } from "./FoundClub.tsx"
import { OwnFrame } from "./OwnFrame.tsx"
import { Palette } from "./Palette.tsx"
import { SignIn, SignInAgain } from "./SignIn.tsx"

const words = spoken(
  {
    account: "Your account",
    offline: "The service cannot be reached: this page may be out of date",
    operator: "Operations",
    skip: "Skip to the content"
  },
  {
    account: "Sua conta",
    offline: "O serviço não responde: esta página pode estar desatualizada",
    operator: "Operação",
    skip: "Ir para o conteúdo"
  }
)

const Operator = lazy(() => import("../views/operator/Operator.tsx"))
const Account = lazy(() => import("../views/account/Account.tsx"))

/** The pages of a person, outside of clubs. */
const own: Readonly<Record<string, () => JSX.Element>> = {
  "/console": () => <Clubs />,
  "/console/account": () => (
    <OwnFrame>
      <Headed title={said(words).account}>
        <Account />
      </Headed>
    </OwnFrame>
  ),
  "/console/new": () => <FoundClub />
}

const path = () => place.value.path.replace(/\/$/, "")

/** The page of somebody who is signed in. */
const Page = () => {
  const show = own[path()]
  return show === undefined ? <ClubFrame /> : show()
}

/** Until it is known whether somebody is signed in. */
const Unknown = () => {
  const failure = meFailure.value
  if (failure === undefined) {
    return (
      <main class="loading">
        <h1 class="visually-hidden">Turma</h1>
      </main>
    )
  }
  return (
    <main id="content" class="door">
      <div class="card stack">
        <h1>Turma</h1>
        <Failure error={failure} again={() => void askWho()} />
      </div>
      <Choices />
    </main>
  )
}

const Content = () => {
  const person = me.value
  // Operators come with the service's secret, signed in or not.
  if (path() === "/console/operator") {
    return (
      <OwnFrame>
        <Headed title={said(words).operator}>
          <Operator />
        </Headed>
      </OwnFrame>
    )
  }
  if (person === undefined) {
    return session.value === "closed" ? <SignIn /> : <Unknown />
  }
  return (
    <div key={person.id} class="contents">
      <Page />
      <Palette />
      {session.value === "closed" && <SignInAgain />}
    </div>
  )
}

/** The whole console. Without a session it asks for a sign-in first, at the same address. */
export const Shell = () => (
  <>
    <a class="skip" href="#content">{said(words).skip}</a>
    {!isOnline.value && <p class="banner" role="status">{said(words).offline}</p>}
    <Content />
    <Toasts />
  </>
)
