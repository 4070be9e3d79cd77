import { useEffect } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { Rows } from "../../club/Rows.tsx"
import { ofClub, to, type ViewProps } from "../../club/View.ts"
import { Written } from "../../club/Written.tsx"
import { PostRow } from "./PostRow.tsx"
import type { Post } from "./posts.ts"
import { postsKey, see, type Space, useCommunity } from "./spaces.ts"
import { words as shared } from "./words.ts"

const words = spoken(
  {
    empty: "Nobody has posted here yet",
    emptyText: "Say hello, or tell the others what you are working on.",
    pinned: "Pinned",
    posts: "Posts",
    staffEmpty: "Posts of the team appear here."
  },
  {
    empty: "Ninguém publicou aqui ainda",
    emptyText: "Diga oi ou conte aos outros o que você está fazendo.",
    pinned: "Fixados",
    posts: "Posts",
    staffEmpty: "O que a equipe publicar aparece aqui."
  }
)

/** The most pinned posts above the others. */
const mostPinned = 5

const Pinned = ({ spaceId }: { readonly spaceId: string }) => {
  const pinned = useRead(
    `${postsKey(spaceId)}/pinned`,
    async (signal) =>
      (await turma.classroomPosts.list({ ...ofClub, spaceId, pinned: "true", limit: mostPinned }, { signal })).data
  )
  if (pinned.data === undefined || pinned.data.length === 0) return null
  return (
    <section class="stack tight" aria-labelledby="pinned">
      <h2 class="eyebrow" id="pinned">
        <Icon name="pin" />
        {said(words).pinned}
      </h2>
      <ul class="plain-list rows">
        {pinned.data.map((post) => (
          <li key={post.id} data-row>
            <PostRow post={post} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const Posts = ({ id, posting }: Space) => {
  const list = useList<Post>(
    postsKey(id),
    ({ signal, ...page }) => turma.classroomPosts.list({ ...ofClub, spaceId: id, ...page }, { signal })
  )
  const newest = list.item(0)?.id
  useEffect(() => {
    // The number of unread posts is not worth a message.
    if (newest !== undefined) see(id).catch(() => {})
  }, [id, newest])
  return (
    <Rows
      label={said(words).posts}
      list={list}
      keyOf={(post) => post.id}
      empty={
        <Empty
          title={said(words).empty}
          action={posting === "members" &&
            <a class="button quiet" href={to("community", "spaces", id, "write")}>{said(shared).write}</a>}
        >
          {posting === "members" ? said(words).emptyText : said(words).staffEmpty}
        </Empty>
      }
    >
      {(post) => <PostRow post={post} />}
    </Rows>
  )
}

/** A space and what was posted there, the newest first. */
export default function SpacePage({ params }: ViewProps) {
  const community = useCommunity()
  const spaceId = params["space"] ?? ""
  return (
    <Shown read={community}>
      {({ name, spaces }) => {
        const above = [{ label: name, to: to("community") }]
        const space = spaces.find(({ id }) => id === spaceId)
        if (space === undefined) {
          return (
            <>
              <PageHead title={said(shared).community} above={above} />
              <Empty title={said(shared).missing}>{said(shared).missingText}</Empty>
            </>
          )
        }
        return (
          <>
            <PageHead
              title={space.name}
              above={above}
              actions={space.posting === "members" && (
                <a class="button" href={to("community", "spaces", spaceId, "write")}>
                  <Icon name="write" />
                  {said(shared).write}
                </a>
              )}
            >
              {space.description !== "" && <Written text={space.description} />}
            </PageHead>
            <Pinned spaceId={spaceId} />
            <Posts {...space} />
          </>
        )
      }}
    </Shown>
  )
}
