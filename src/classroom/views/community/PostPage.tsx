import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { go } from "../../../browser/client/Location.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Avatar } from "../../../browser/parts/Avatar.tsx"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { Menu, MenuEntry } from "../../../browser/parts/Menu.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { tellFailure } from "../../../browser/parts/Toasts.tsx"
import { Discussion } from "../../club/discussion/Discussion.tsx"
import { ofClub, to, type ViewProps } from "../../club/View.ts"
import { Written } from "../../club/Written.tsx"
import { PostForm, type PostWords } from "./PostForm.tsx"
import type { Post } from "./posts.ts"
import { postKey, postsKey, useCommunity } from "./spaces.ts"
import { words as shared } from "./words.ts"

const words = spoken(
  {
    edit: "Edit",
    edited: "edited",
    more: "More about this post",
    pinned: "Pinned",
    remove: "Delete",
    removeAction: "Delete the post",
    removed: "The post is deleted",
    removeText: "Its text is erased for good. Comments on it stay.",
    removeTitle: "Delete this post?"
  },
  {
    edit: "Editar",
    edited: "editado",
    more: "Mais opções deste post",
    pinned: "Fixado",
    remove: "Excluir",
    removeAction: "Excluir o post",
    removed: "O post foi excluído",
    removeText: "O texto é apagado de vez. Os comentários continuam.",
    removeTitle: "Excluir este post?"
  }
)

const titleOf = ({ author, deleted, hidden, title }: Post) =>
  deleted || hidden || title === null ? said(shared).by(author.name) : title

/** The author, and when they wrote it. */
const By = ({ children, post: { author, created_at, edited_at } }: {
  readonly post: Post
  /** At the end of the line. */
  readonly children: ComponentChildren
}) => (
  <div class="by">
    <Avatar name={author.name} role={author.role} />
    <p>
      <strong dir="auto">{author.name}</strong>{" "}
      {author.role === "staff" && <span class="role">{said(shared).staff}</span>}
      <br />
      <span class="soft small">
        <Moment at={created_at} />
        {edited_at !== null && `, ${said(words).edited}`}
      </span>
    </p>
    {children}
  </div>
)

const Words = ({ post: { body, deleted, hidden, mentions } }: { readonly post: Post }) =>
  deleted || hidden
    ? <p class="soft">{deleted ? said(shared).deleted : said(shared).hidden}</p>
    : <Written text={body} mentions={mentions} />

const PostView = ({ post }: { readonly post: Post }) => {
  const isOpen = useSignal<"" | "edit" | "remove">("")
  /** The new words, and the version that they change, which the page shows until it has read the next one. */
  const now = useSignal<{ readonly words: PostWords; readonly over: string | null } | undefined>(undefined)
  const community = useCommunity()
  const space = community.data?.spaces.find(({ id }) => id === post.space_id)
  const shown = now.value?.over === post.edited_at ? { ...post, ...now.value.words } : post
  const params = { ...ofClub, postId: post.id }
  const change = async (body: PostWords) => {
    now.value = { words: body, over: post.edited_at }
    isOpen.value = ""
    try {
      await turma.classroomPosts.update({ ...params, body })
      changed(postKey(post.id), postsKey(post.space_id))
    } catch (thrown) {
      now.value = undefined
      isOpen.value = "edit"
      tellFailure(thrown)
      throw thrown
    }
  }
  return (
    <>
      <PageHead
        title={titleOf(shown)}
        above={[
          { label: community.data?.name ?? said(shared).community, to: to("community") },
          ...(space === undefined ? [] : [{ label: space.name, to: to("community", "spaces", space.id) }])
        ]}
        badge={post.pinned && <Badge tone="quiet">{said(words).pinned}</Badge>}
      />
      <By post={post}>
        {post.mine && !post.deleted && !post.hidden && (
          <Menu label={said(words).more} icon="more">
            <MenuEntry icon="write" label={said(words).edit} act={() => (isOpen.value = "edit")} />
            <MenuEntry icon="remove" label={said(words).remove} isDangerous act={() => (isOpen.value = "remove")} />
          </Menu>
        )}
      </By>
      {isOpen.value === "edit"
        ? (
          <PostForm
            draft={`posts/${post.id}/edit`}
            before={{ title: post.title, body: post.body }}
            action={said(shared).save}
            send={change}
            cancel={() => (isOpen.value = "")}
          />
        )
        : <Words post={shown} />}
      <Discussion place={{ post: post.id }} />
      {isOpen.value === "remove" && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          done={said(words).removed}
          work={async () => {
            await turma.classroomPosts.remove(params)
            changed(postsKey(post.space_id))
            go(to("community", "spaces", post.space_id), { replace: true })
          }}
          onClose={() => (isOpen.value = "")}
        >
          <p>{said(words).removeText}</p>
        </Confirm>
      )}
    </>
  )
}

/** A post and its discussion. */
export default function PostPage({ params }: ViewProps) {
  const postId = params["post"] ?? ""
  const post = useRead(
    postKey(postId),
    async (signal) => (await turma.classroomPosts.get({ ...ofClub, postId }, { signal })).data
  )
  return <Shown read={post}>{(data) => <PostView key={data.id} post={data} />}</Shown>
}
