import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { go } from "../../../browser/client/Location.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { ofClub, to, type ViewProps } from "../../club/View.ts"
import { PostForm } from "./PostForm.tsx"
import { postsKey, useCommunity } from "./spaces.ts"
import { words } from "./words.ts"

/** Where somebody writes a new post. */
export default function WritePost({ params }: ViewProps) {
  const community = useCommunity()
  const spaceId = params["space"] ?? ""
  const space = to("community", "spaces", spaceId)
  return (
    <Shown read={community}>
      {({ name, spaces }) => {
        const found = spaces.find(({ id, posting }) => id === spaceId && posting === "members")
        if (found === undefined) return <Empty title={said(words).missing}>{said(words).missingText}</Empty>
        return (
          <>
            <PageHead
              title={said(words).write}
              above={[{ label: name, to: to("community") }, { label: found.name, to: space }]}
            />
            <PostForm
              draft={`spaces/${spaceId}/post`}
              action={said(words).publish}
              send={async (written, mentions) => {
                const body = { ...written, mentions }
                const { data } = await turma.classroomPosts.create({ ...ofClub, spaceId, body })
                changed(postsKey(spaceId))
                go(to("community", "posts", data.id), { replace: true })
              }}
              cancel={() => go(space)}
            />
          </>
        )
      }}
    </Shown>
  )
}
