import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { me } from "../../club/Session.ts"
import { clubId, ofClub, to } from "../../club/View.ts"

const words = spoken(
  {
    none: "Your courses appear here",
    noneText: "As soon as you have access to a course, you find it on this page.",
    title: (name: string) => `Hello, ${name}`
  },
  {
    none: "Seus cursos aparecem aqui",
    noneText: "Assim que você tiver acesso a um curso, ele aparece nesta página.",
    title: (name: string) => `Olá, ${name}`
  }
)

/** Where to go on. */
const Home = () => {
  const courses = useRead(`${clubId}/home`, async (signal) => (await turma.classroom.courses(ofClub, { signal })).data)
  return (
    <>
      <PageHead title={said(words).title(me.value?.name.split(" ")[0] ?? "")} />
      <Shown read={courses}>
        {(list) =>
          list.length === 0
            ? <Empty title={said(words).none}>{said(words).noneText}</Empty>
            : (
              <ul class="tiles">
                {list.map(({ id, public_id, title }) => (
                  <li key={id}>
                    <a class="tile" href={to("courses", public_id)}>
                      <strong dir="auto">{title}</strong>
                    </a>
                  </li>
                ))}
              </ul>
            )}
      </Shown>
    </>
  )
}

export default Home
