import { said } from "../../../browser/client/Language.ts"
import { Choices } from "../../../browser/parts/Choices.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { useOwn } from "../../club/Own.ts"
import { signOut } from "../../club/Session.ts"
import { to } from "../../club/View.ts"
import { Password } from "./Password.tsx"
import { Profile } from "./Profile.tsx"
import { Removal } from "./Removal.tsx"
import { Sessions } from "./Sessions.tsx"
import { words } from "./words.ts"

const Mails = () => (
  <section class="card stack" aria-labelledby="mails">
    <h2 id="mails">{said(words).mails}</h2>
    <p class="soft">{said(words).mailsText}</p>
    <p>
      <a href={to("notifications")}>{said(words).mailsLink}</a>
    </p>
  </section>
)

const Looks = () => (
  <section class="card stack" aria-labelledby="language">
    <h2 id="language">{said(words).language}</h2>
    <Choices />
  </section>
)

/** The student's account, and everything that is theirs to decide. */
export default function Account() {
  const own = useOwn()
  return (
    <>
      <PageHead
        title={said(words).title}
        actions={
          <button type="button" class="quiet" onClick={() => void attempt(signOut)}>{said(words).signOut}</button>
        }
      />
      <Shown read={own}>
        {(data) => (
          <div class="beside">
            <div class="stack account">
              <Profile own={data} />
              <Password own={data} />
            </div>
            <div class="stack account">
              <Sessions />
              <Mails />
              <Looks />
              <Removal email={data.email} />
            </div>
          </div>
        )}
      </Shown>
    </>
  )
}
