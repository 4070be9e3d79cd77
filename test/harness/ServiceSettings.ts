import { ConfigProvider } from "effect"

/** The settings of every process of the service in a test. It keeps its files in this folder. */
export const serviceSettingsLayer = (folder: string) =>
  ConfigProvider.layer(ConfigProvider.fromUnknown({
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    PUBLIC_URL: "https://turma.example",
    DATA_DIR: folder
  }))
