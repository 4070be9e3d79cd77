import { useEffect } from "preact/hooks"
import { said, spoken } from "../../browser/client/Language.ts"
import { go, query } from "../../browser/client/Location.ts"
import { PageHead } from "../../browser/parts/PageHead.tsx"
import { Empty } from "../../browser/parts/States.tsx"
import { roleName } from "../club/Roles.ts"
import { me } from "../club/Session.ts"
import { clubPage } from "../club/View.ts"
import { OwnFrame } from "./OwnFrame.tsx"

const words = spoken(
  {
    found: "Found a club",
    lead: (name: string) => `Welcome, ${name}.`,
    none: "You belong to no club yet",
    noneText: "Found one here, or open the link in your invitation mail.",
    title: "Your clubs"
  },
  {
    found: "Criar um clube",
    lead: (name: string) => `Boas-vindas, ${name}.`,
    none: "Você ainda não faz parte de nenhum clube",
    noneText: "Crie um aqui ou abra o link do convite que recebeu por e-mail.",
    title: "Seus clubes"
  }
)

/** The clubs of a person. A person with one club goes to it at once. */
export const Clubs = () => {
  const clubs = me.value?.organizations ?? []
  const [only] = clubs
  const leads = clubs.length === 1 && only !== undefined && !query.value.has("all")
  useEffect(() => {
    if (leads && only !== undefined) go(clubPage(only), { replace: true })
  }, [leads])
  return (
    <OwnFrame>
      <PageHead title={said(words).title} actions={<a class="button" href="/console/new">{said(words).found}</a>}>
        {said(words).lead(me.value?.name ?? "")}
      </PageHead>
      {clubs.length === 0
        ? <Empty title={said(words).none}>{said(words).noneText}</Empty>
        : (
          <ul class="tiles">
            {clubs.map((club) => (
              <li key={club.organization_id}>
                <a class="tile" href={clubPage(club)}>
                  <strong dir="auto">{club.name}</strong>
                  <span>{roleName(club.role)}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
    </OwnFrame>
  )
}
