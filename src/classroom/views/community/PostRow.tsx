import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { Avatar } from "../../../browser/parts/Avatar.tsx"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { to } from "../../club/View.ts"
import { plainText, type Post } from "./posts.ts"
import { words } from "./words.ts"

const Words = ({ post }: { readonly post: Post }) => {
  if (post.deleted || post.hidden) {
    return <span class="post-name soft">{post.deleted ? said(words).deleted : said(words).hidden}</span>
  }
  const text = plainText(post.body)
  if (post.title === null) return <span class="post-words long" dir="auto">{text}</span>
  return (
    <>
      <strong class="post-name" dir="auto">{post.title}</strong>
      <span class="post-words soft" dir="auto">{text}</span>
    </>
  )
}

/** A post in a list. The whole row leads to it. */
export const PostRow = ({ post }: { readonly post: Post }) => (
  <a class="post-row" href={to("community", "posts", post.id)}>
    <Avatar name={post.author.name} role={post.author.role} />
    <span class="post-body">
      <Words post={post} />
      <span class="post-facts soft small">
        <span class="post-author" dir="auto">{post.author.name}</span>
        {post.author.role === "staff" && <span class="role">{said(words).staff}</span>}
        <Moment at={post.created_at} />
        {post.comments_count > 0 && (
          <span class="post-comments" title={said(words).comments(post.comments_count)}>
            <Icon name="reply" />
            <span aria-hidden="true">{number(post.comments_count)}</span>
            <span class="visually-hidden">{said(words).comments(post.comments_count)}</span>
          </span>
        )}
        {post.pinned && <Icon name="pin" />}
      </span>
    </span>
  </a>
)
