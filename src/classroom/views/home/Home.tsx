import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { me } from "../../club/Session.ts"
import { clubId, ofClub, to } from "../../club/View.ts"
import { CourseTile } from "./CourseTile.tsx"
import { goingOn } from "./goingOn.ts"
import { LockedTile } from "./LockedTile.tsx"
import { News } from "./News.tsx"
import { Onward } from "./Onward.tsx"

const words = spoken(
  {
    courses: "Your courses",
    help: "Ask for help",
    locked: "Other courses of the club",
    none: "Your courses appear here",
    noneText: "As soon as you have access to a course, you find it on this page. Did you buy one? Ask us.",
    other: "Your other courses",
    title: (name: string) => name === "" ? "Hello!" : `Hello, ${name}!`
  },
  {
    courses: "Seus cursos",
    help: "Pedir ajuda",
    locked: "Outros cursos do clube",
    none: "Seus cursos aparecem aqui",
    noneText:
      "Assim que você tiver acesso a um curso, ele aparece nesta página. Comprou e não apareceu? Fale com a gente.",
    other: "Seus outros cursos",
    title: (name: string) => name === "" ? "Olá!" : `Olá, ${name}!`
  }
)

type HomeData = Schemas["ClassroomHome"]

const NoCourse = () => (
  <Empty
    icon="book"
    title={said(words).none}
    action={<a class="button quiet" href={to("support")}>{said(words).help}</a>}
  >
    {said(words).noneText}
  </Empty>
)

const Courses = ({ courses, title }: Pick<HomeData, "courses"> & { readonly title: string }) => (
  <section class="stack home-courses" aria-labelledby="home-courses">
    <h2 id="home-courses">{title}</h2>
    <ul class="course-tiles">
      {courses.map((course) => (
        <li key={course.id}>
          <CourseTile course={course} />
        </li>
      ))}
    </ul>
  </section>
)

const Locked = ({ courses }: { readonly courses: HomeData["locked_courses"] }) => (
  <section class="stack home-courses" aria-labelledby="home-locked">
    <h2 id="home-locked">{said(words).locked}</h2>
    <ul class="course-tiles quiet">
      {courses.map((course) => (
        <li key={course.id}>
          <LockedTile course={course} />
        </li>
      ))}
    </ul>
  </section>
)

const Content = ({ home }: { readonly home: HomeData }) => {
  const next = goingOn(home.courses)
  const others = home.courses.filter((course) => course !== next)
  return (
    <div class="home">
      {home.courses.length === 0 && <NoCourse />}
      {next !== undefined && <Onward course={next} />}
      <News home={home} />
      {others.length + home.locked_courses.length > 0 && (
        <div class="home-rest">
          {others.length > 0 && (
            <Courses courses={others} title={next === undefined ? said(words).courses : said(words).other} />
          )}
          {home.locked_courses.length > 0 && <Locked courses={home.locked_courses} />}
        </div>
      )}
    </div>
  )
}

/** Where the student goes on, and what is new since they were here. */
const Home = () => {
  const read = useRead(`${clubId}/home`, async (signal) => (await turma.classroom.home(ofClub, { signal })).data)
  return (
    <>
      <PageHead title={said(words).title(me.value?.name.split(" ")[0] ?? "")} />
      <Shown read={read}>
        {(home) => <Content home={home} />}
      </Shown>
    </>
  )
}

export default Home
