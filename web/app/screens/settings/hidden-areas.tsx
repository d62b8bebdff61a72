import { useEffect, useRef, useState } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { useFormatter, useTranslations } from "use-intl";
import { AREA_RADII, AREAS_MAX } from "@alcove/contract/limits";
import { addHiddenArea, getHiddenAreas, type HiddenArea, removeHiddenArea } from "@alcove/contract/profiles";
import { device } from "../../device/browser.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Icon } from "../../ui/icon.tsx";
import { AreaMap, type Offset } from "./area-map.tsx";
import { SettingHead } from "./setting-head.tsx";
import listStyles from "../../ui/styles/list.module.css";

const SIZES = AREA_RADII.map(String);
const HERE: Offset = { east: 0, north: 0 };

export async function loader() {
  return api(getHiddenAreas, {});
}

/** Places where the member and the people around do not see each other. */
export default function HiddenAreasScreen() {
  const { areas } = useLoaderData<typeof loader>();
  const t = useTranslations("hiddenAreas");
  const title = useTranslations("settings")("hiddenAreas");
  const { revalidate } = useRevalidator();
  const list = useRef<HTMLHeadingElement>(null);

  async function handleRemoved() {
    await revalidate();
    list.current?.focus(); // the button disappears with its row
  }

  return (
    <div className="stack-lg">
      <div className="stack">
        <SettingHead title={title} />
        <p className="muted">{t("text")}</p>
        <p className="muted">{t("limits", { count: AREAS_MAX })}</p>
        {areas.length < AREAS_MAX && <AddArea onAdded={revalidate} />}
      </div>
      <section className="stack">
        <h2 ref={list} tabIndex={-1}>
          {t("list")}
        </h2>
        {areas.length === 0 && <Empty title={t("none")} />}
        {areas.length > 0 && (
          <ul className={listStyles.list}>
            {areas.map((area) => (
              <Area key={area.id} area={area} onRemoved={handleRemoved} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

const KM_PER_DEGREE = 111.2;

interface Here {
  readonly longitude: number;
  readonly latitude: number;
}

/** Degrees of a point some kilometres away, on a plane: exact enough for a coarse area. */
function locationAt({ longitude, latitude }: Here, { east, north }: Offset): string {
  const narrow = Math.cos((latitude * Math.PI) / 180);
  const degreesEast = longitude + east / (KM_PER_DEGREE * Math.max(narrow, 0.01));
  const degreesNorth = Math.max(-90, Math.min(90, latitude + north / KM_PER_DEGREE));
  return `${((degreesEast + 540) % 360) - 180},${degreesNorth}`;
}

/** Hides around a place near the device. No map of another company learns of it. */
function AddArea({ onAdded }: { onAdded: () => Promise<void> }) {
  const t = useTranslations("hiddenAreas");
  const [size, setSize] = useState(SIZES[0]!);
  const [here, setHere] = useState<Here | null>(null);
  const [offset, setOffset] = useState<Offset>(HERE);
  const chooser = useRef<HTMLButtonElement>(null);
  const [isClosed, setClosed] = useState(false);
  useEffect(() => {
    if (isClosed) chooser.current?.focus(); // the pressed button has disappeared
  }, [isClosed]);
  function close() {
    setHere(null);
    setOffset(HERE);
    setClosed(true);
  }
  const find = useAction(async () => {
    const position = await device.position();
    setClosed(false);
    if (position) setHere(position);
    else banner.alert("location.request");
  });
  const add = useAction(async () => {
    const location = locationAt(here!, offset);
    await api(addHiddenArea, { location, radius: AREA_RADII.find((radius) => String(radius) === size)! });
    banner.notify("hiddenAreas.added");
    close();
    await onAdded();
  });
  return (
    <>
      <Segmented
        legend={t("radius")}
        name="radius"
        choices={SIZES.map((km) => [km, t("km", { km })])}
        value={size}
        hint={t("radiusHint")}
        onChange={setSize}
      />
      {here && <AreaMap offset={offset} radiusKm={Number(size)} onChange={setOffset} />}
      {here ? (
        <>
          <Button block busy={add.isBusy} onClick={add.start}>
            {t("add")}
          </Button>
          <Button kind="ghost" block onClick={close}>
            {t("cancel")}
          </Button>
        </>
      ) : (
        <Button ref={chooser} block busy={find.isBusy} onClick={find.start}>
          {t("choosePlace")}
        </Button>
      )}
    </>
  );
}

function Area({ area, onRemoved }: { area: HiddenArea; onRemoved: () => Promise<void> }) {
  const t = useTranslations("hiddenAreas");
  const format = useFormatter();
  const [longitude, latitude] = area.location;
  const degrees = (value: number) => format.number(value, { maximumFractionDigits: 2 });
  const remove = useAction(async () => {
    await api(removeHiddenArea, { id: area.id });
    banner.notify("hiddenAreas.removed");
    await onRemoved();
  });
  return (
    <li className={listStyles.row}>
      <Icon name="pin" />
      <span id={`area-${area.id}`}>
        {t("around", { km: String(area.radius) })}
        <span className="hint">{t("near", { place: `${degrees(latitude)}°, ${degrees(longitude)}°` })}</span>
      </span>
      <Button
        kind="quiet"
        small
        aria-describedby={`area-${area.id}`}
        busy={remove.isBusy}
        onClick={remove.start}
      >
        {t("remove")}
      </Button>
    </li>
  );
}
