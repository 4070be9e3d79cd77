import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { go, place } from "../../../browser/client/Location.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { Avatar } from "../../../browser/parts/Avatar.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { tellFailure } from "../../../browser/parts/Toasts.tsx"
import { me } from "../../club/Session.ts"
import { ofClub, to, type ViewProps } from "../../club/View.ts"
import { Written } from "../../club/Written.tsx"
import { PostForm, type PostWords } from "./PostForm.tsx"
import { postsKey, useCommunity } from "./spaces.ts"
import { words } from "./words.ts"

/** A post that is being sent. */
const OnItsWay = ({ body }: PostWords) => (
  <>
    <div class="by">
      <Avatar name={me.value?.name ?? ""} role="student" />
      <p>
        <strong dir="auto">{me.value?.name}</strong>
        <br />
        <span class="soft small" role="status">{said(words).sending}</span>
      </p>
    </div>
    <Written text={body} />
  </>
)

/** Where somebody writes a new post. It stands there at once, and is back in its fields if it was not sent. */
export default function WritePost({ params }: ViewProps) {
  const sent = useSignal<PostWords | undefined>(undefined)
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
              title={sent.value === undefined
                ? said(words).write
                : sent.value.title ?? said(words).by(me.value?.name ?? "")}
              above={[{ label: name, to: to("community") }, { label: found.name, to: space }]}
            />
            {sent.value !== undefined && <OnItsWay {...sent.value} />}
            <div hidden={sent.value !== undefined}>
              <PostForm
                draft={`spaces/${spaceId}/post`}
                action={said(words).publish}
                send={async (written, mentions) => {
                  const { path } = place.peek()
                  const isHere = () => place.peek().path === path
                  sent.value = written
                  try {
                    const body = { ...written, mentions }
                    const { data } = await turma.classroomPosts.create({ ...ofClub, spaceId, body })
                    changed(postsKey(spaceId))
                    if (isHere()) go(to("community", "posts", data.id), { replace: true })
                  } catch (thrown) {
                    sent.value = undefined
                    if (!isHere()) tellFailure(thrown)
                    throw thrown
                  }
                }}
                cancel={() => go(space)}
              />
            </div>
          </>
        )
      }}
    </Shown>
  )
}
