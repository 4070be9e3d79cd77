import { site } from "../../browser/client/Site.ts"
import { findingViews, type ListedView } from "../../browser/parts/views.ts"
import type { ViewProps } from "../club/View.ts"

const views: ReadonlyArray<ListedView<ViewProps>> = [
  { path: "", load: () => import("../views/home/Home.tsx") },
  { path: "courses/:course", load: () => import("../views/course/Course.tsx") },
  { path: "lessons/:lesson", load: () => import("../views/lesson/Lesson.tsx") },
  { path: "community", load: () => import("../views/community/Community.tsx") },
  { path: "community/posts/:post", load: () => import("../views/community/PostPage.tsx") },
  { path: "community/spaces/:space", load: () => import("../views/community/SpacePage.tsx") },
  { path: "community/spaces/:space/write", load: () => import("../views/community/WritePost.tsx") },
  { path: "lessons/:lesson/ask", load: () => import("../views/lesson/ask/AskPage.tsx") },
  { path: "lives", load: () => import("../views/lives/Lives.tsx") },
  { path: "repositories", load: () => import("../views/repositories/Repositories.tsx") },
  { path: "repositories/:repository", load: () => import("../views/repositories/Repository.tsx") },
  { path: "ranking", load: () => import("../views/ranking/Ranking.tsx") },
  { path: "ranking/points", load: () => import("../views/ranking/Statement.tsx") },
  { path: "support", load: () => import("../views/support/Conversations.tsx") },
  { path: "support/new", load: () => import("../views/support/NewConversation.tsx") },
  { path: "support/:conversation", load: () => import("../views/support/Conversation.tsx") },
  { path: "account", load: () => import("../views/account/Account.tsx") },
  { path: "notifications", load: () => import("../views/notifications/Notifications.tsx") },
  { path: "search", load: () => import("../views/search/Search.tsx") }
]

/** The view of an address, with its parameters. Undefined if no view has the address. */
export const viewAt = findingViews(site.root, views)
