import { Api } from "./Api.ts"
import { assistant } from "./assistant/Feature.ts"
import { classroom as classroomPage } from "./classroom/Feature.ts"
import { billing } from "./commerce/billing/Feature.ts"
import { sales } from "./commerce/sales/Feature.ts"
import { console } from "./console/Feature.ts"
import { comments } from "./conversation/comments/Feature.ts"
import { community } from "./conversation/community/Feature.ts"
import { removals } from "./conversation/removals/Feature.ts"
import { support } from "./conversation/support/Feature.ts"
import { events } from "./events/Feature.ts"
import { identity } from "./identity/Feature.ts"
import { classroom } from "./learning/classroom/Feature.ts"
import { content } from "./learning/content/Feature.ts"
import { gamification } from "./learning/gamification/Feature.ts"
import { lives } from "./learning/lives/Feature.ts"
import { media } from "./learning/media/Feature.ts"
import { mentorships } from "./learning/mentorships/Feature.ts"
import { repositories } from "./learning/repositories/Feature.ts"
import { access } from "./membership/access/Feature.ts"
import { accounts } from "./membership/accounts/Feature.ts"
import { audit } from "./membership/audit/Feature.ts"
import { caps } from "./membership/caps/Feature.ts"
import { catalog } from "./membership/catalog/Feature.ts"
import { clubs } from "./membership/clubs/Feature.ts"
import { keys } from "./membership/keys/Feature.ts"
import { notifications } from "./membership/notifications/Feature.ts"
import { pages } from "./membership/pages/Feature.ts"
import { registration } from "./membership/registration/Feature.ts"
import { studentExport } from "./membership/students/export/Feature.ts"
import { students } from "./membership/students/Feature.ts"
import { studentImports } from "./membership/students/import/Feature.ts"
import { backups } from "./operations/backup/Feature.ts"
import { empty } from "./operations/composition/Composition.ts"
import { front } from "./operations/front/Feature.ts"
import { health } from "./operations/health/Feature.ts"
import { mcp } from "./operations/mcp/Feature.ts"
import { overview } from "./operations/overview/Feature.ts"
import { telemetry } from "./operations/telemetry/Feature.ts"
import { platform } from "./platform/Feature.ts"
import { webhooks } from "./webhooks/Feature.ts"

/**
 * Every feature, in storey order: each stands on those above it in this list. A new feature is a line here. A removal locks
 * what erasers lock in this order, too, and a process of an older version does the same at the same time.
 */
export const app = empty
  .on(platform)
  .on(identity)
  .on(caps)
  .add(events)
  .add(clubs)
  .add(keys)
  .add(audit)
  .add(catalog)
  .add(access)
  .add(registration)
  .add(students)
  .add(accounts)
  .add(pages)
  .add(studentImports)
  .add(studentExport)
  .add(notifications)
  .add(media)
  .add(content)
  .add(gamification)
  .add(classroom)
  .add(repositories)
  .add(lives)
  .add(mentorships)
  .add(community)
  .add(comments)
  .add(support)
  .add(removals)
  .add(webhooks)
  .add(sales)
  .add(billing)
  .add(assistant)
  .add(front)
  .add(health)
  .add(telemetry)
  .add(backups)
  .add(overview)
  .add(mcp)
  .add(console)
  .add(classroomPage)

/** Every service, still asking for the database. */
export const ServicesLayer = app.servicesLayer()

/** Every route, still asking for the services. */
export const RoutesLayer = app.routesLayer(Api, new URL("./cli/run.js", import.meta.url))

/** All that is sealed, table by table. */
export const sealedRows = app.sealed()

/** Background work beside the server, or without one. Any number of processes may run it. */
export const WorkersLayer = app.workersLayer()
