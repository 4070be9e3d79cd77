import type { ClubView } from "../client/View.ts"
import { lazy } from "../parts/lazy.tsx"

/** A view of a club, loaded when somebody goes there. */
export interface ViewRoute {
  /** Below the club's address, as `URLPattern` has it. */
  readonly path: string
  readonly load: () => Promise<{ readonly default: ClubView }>
}

/** Every view of a club. The first whose address fits is shown. */
export const views: ReadonlyArray<ViewRoute> = [
  { path: "", load: () => import("../views/home/Home.tsx") },
  { path: "content", load: () => import("../views/content/Courses.tsx") },
  { path: "content/courses/:course", load: () => import("../views/content/CoursePage.tsx") },
  { path: "content/deliveries", load: () => import("../views/content/Deliveries.tsx") },
  { path: "content/deliveries/:delivery", load: () => import("../views/content/DeliveryPage.tsx") },
  { path: "content/lessons/:lesson", load: () => import("../views/content/LessonPage.tsx") },
  { path: "content/media", load: () => import("../views/content/Media.tsx") },
  { path: "content/repositories", load: () => import("../views/content/Repositories.tsx") },
  { path: "content/repositories/:repository", load: () => import("../views/content/RepositoryPage.tsx") },
  { path: "content/submissions", load: () => import("../views/content/Submissions.tsx") },
  { path: "community", load: () => import("../views/community/Community.tsx") },
  { path: "community/comments", load: () => import("../views/community/Comments.tsx") },
  { path: "community/posts/:post", load: () => import("../views/community/PostPage.tsx") },
  { path: "community/spaces/:space", load: () => import("../views/community/SpacePage.tsx") },
  { path: "gamification", load: () => import("../views/gamification/Rules.tsx") },
  { path: "gamification/levels", load: () => import("../views/gamification/Levels.tsx") },
  { path: "gamification/ranking", load: () => import("../views/gamification/Ranking.tsx") },
  { path: "support", load: () => import("../views/support/Inbox.tsx") },
  { path: "support/:conversation", load: () => import("../views/support/Conversation.tsx") },
  { path: "billing", load: () => import("../views/billing/Billing.tsx") },
  { path: "assistant", load: () => import("../views/assistant/Questions.tsx") },
  { path: "assistant/usage", load: () => import("../views/assistant/Usage.tsx") },
  { path: "assistant/settings", load: () => import("../views/assistant/Settings.tsx") },
  { path: "assistant/questions/:question", load: () => import("../views/assistant/Question.tsx") },
  { path: "members", load: () => import("../views/members/Members.tsx") },
  { path: "keys", load: () => import("../views/keys/Keys.tsx") },
  { path: "keys/:key", load: () => import("../views/keys/Key.tsx") },
  { path: "settings", load: () => import("../views/settings/Settings.tsx") },
  { path: "settings/audit", load: () => import("../views/settings/Audit.tsx") },
  { path: "webhooks", load: () => import("../views/webhooks/endpoints/Endpoints.tsx") },
  { path: "webhooks/new", load: () => import("../views/webhooks/settings/NewEndpoint.tsx") },
  { path: "webhooks/deliveries", load: () => import("../views/webhooks/deliveries/Deliveries.tsx") },
  { path: "webhooks/events", load: () => import("../views/webhooks/feed/Feed.tsx") },
  { path: "webhooks/events/:event", load: () => import("../views/webhooks/delivery/Event.tsx") },
  { path: "webhooks/inboxes", load: () => import("../views/webhooks/play/Inboxes.tsx") },
  { path: "webhooks/inboxes/:inbox", load: () => import("../views/webhooks/play/Inbox.tsx") },
  { path: "webhooks/outage", load: () => import("../views/webhooks/outage/Outage.tsx") },
  { path: "webhooks/:endpoint", load: () => import("../views/webhooks/endpoint/Endpoint.tsx") },
  { path: "webhooks/:endpoint/deliveries", load: () => import("../views/webhooks/deliveries/Deliveries.tsx") },
  { path: "webhooks/:endpoint/deliveries/:delivery", load: () => import("../views/webhooks/delivery/Delivery.tsx") },
  { path: "webhooks/:endpoint/gradings", load: () => import("../views/webhooks/grading/Gradings.tsx") },
  { path: "webhooks/:endpoint/gradings/:grading", load: () => import("../views/webhooks/grading/Grading.tsx") },
  { path: "webhooks/:endpoint/recoveries", load: () => import("../views/webhooks/recovery/Recoveries.tsx") },
  { path: "webhooks/:endpoint/recoveries/:recovery", load: () => import("../views/webhooks/recovery/Recovery.tsx") },
  { path: "sales", load: () => import("../views/sales/events/Sales.tsx") },
  { path: "sales/events/:event", load: () => import("../views/sales/events/Event.tsx") },
  { path: "sales/platforms", load: () => import("../views/sales/platforms/Platforms.tsx") },
  { path: "sales/products", load: () => import("../views/sales/mappings/Mappings.tsx") },
  { path: "students", load: () => import("../views/students/list/Students.tsx") },
  { path: "students/import", load: () => import("../views/students/imports/NewImport.tsx") },
  { path: "students/imports/:import", load: () => import("../views/students/imports/ImportPage.tsx") },
  { path: "students/:student", load: () => import("../views/students/student/Student.tsx") },
  { path: "students/:student/:tab", load: () => import("../views/students/student/Student.tsx") }
]

interface Found {
  readonly View: ClubView
  readonly params: Readonly<Record<string, string>>
}

const patterns = views.map(({ load, path }) => ({
  View: lazy(load),
  pattern: new URLPattern({ pathname: `/console/:club${path === "" ? "" : `/${path}`}` })
}))

/** The text in a part of an address. Undefined for a part that does not decode. */
const textOf = (part: string) => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** The view of an address, with its parameters. Undefined if no view has the address. */
export const viewAt = (path: string): Found | undefined => {
  const pathname = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
  for (const { View, pattern } of patterns) {
    const found = pattern.exec({ pathname })
    if (found === null) continue
    const params: Record<string, string> = {}
    for (const [name, value = ""] of Object.entries(found.pathname.groups)) {
      const text = textOf(value)
      if (text === undefined) return undefined
      params[name] = text
    }
    return { View, params }
  }
  return undefined
}
