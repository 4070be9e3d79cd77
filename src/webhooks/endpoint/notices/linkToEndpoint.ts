import { pageUrl, type PublicUrls } from "../../../platform/http/ServerSettings.ts"
import type { EndpointId } from "../../model/EndpointId.ts"

/** The complete address of an endpoint's page: in the console, or in the dashboard if there is one elsewhere. */
export const linkToEndpoint = (
  { api, dashboard, ownPages }: PublicUrls["Service"],
  organization_id: string,
  endpoint_id: EndpointId
): string =>
  ownPages.administrators
    ? pageUrl(api, `console/${organization_id}/webhooks/${endpoint_id}`, {})
    : pageUrl(dashboard, "webhooks", { club: organization_id, endpoint: endpoint_id })
