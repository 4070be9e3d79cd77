import { said, spoken } from "../../browser/client/Language.ts"
import { Icon } from "../../browser/parts/Icon.tsx"
import { PersonMenu as SharedMenu } from "../../browser/parts/PersonMenu.tsx"
import { me } from "../club/Session.ts"
import { leave } from "./leave.ts"

const words = spoken(
  { account: "Your account", clubs: "Your clubs", documentation: "Documentation" },
  { account: "Sua conta", clubs: "Seus clubes", documentation: "Documentação" }
)

/** The menu of the signed-in person. */
export const PersonMenu = () => {
  const person = me.value
  if (person === undefined) return null
  return (
    <SharedMenu name={person.name} email={person.email} role="staff" leave={leave}>
      <a class="entry" href="/console/account">
        <Icon name="person" />
        {said(words).account}
      </a>
      <a class="entry" href="/console?all">
        <Icon name="home" />
        {said(words).clubs}
      </a>
      <a class="entry" href="/docs">
        <Icon name="book" />
        {said(words).documentation}
      </a>
    </SharedMenu>
  )
}
