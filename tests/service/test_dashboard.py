"""The dashboard in a real browser: create, decide, reward, see the charts move, kill switch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser import opened
from driftbandit.service.pages import FILES, TYPES
from service.serving import ARMS, Client, Server, serving


def enter(page: Page, server: Server) -> None:
    page.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    page.goto(f"http://127.0.0.1:{server.port}/")
    page.fill("#key", server.key)
    page.click("#enter button")


def traffic(client: Client, name: str, many: int) -> None:
    """Make decisions, each with a reward: blue is best."""
    asked: Any = {"decisions": [{}] * many}
    made = client.post(f"/{name}/decide/batch", asked)["decisions"]
    rewards = [{"id": each["id"], "reward": float(each["arm"] == "blue")} for each in made]
    client.post(f"/{name}/reward/batch", {"rewards": rewards})


def create(page: Page) -> None:
    page.click("#new")
    page.fill("#creating [name=name]", "headline")
    page.fill("#creating [name=arms]", "\n".join(ARMS))
    page.fill("#creating [name=policy]", "nonsense")
    page.click("#creating button:not([type])")
    expect(page.locator("#creating .said")).to_contain_text("name must be one of")
    page.fill("#creating [name=policy]", "auto")
    page.fill("#creating [name=floor]", "0.3")
    page.click("#creating button:not([type])")
    expect(page.locator("#status")).to_have_text("running")
    expect(page.locator("#history")).to_contain_text("Created with red, green, blue")


def decide_and_reward(page: Page) -> None:
    page.click("#decide")
    expect(page.locator("#tried")).to_contain_text("with probability")
    page.click("#good")
    expect(page.locator("#tried")).to_contain_text("got 1")
    tiles = page.locator("#tiles b")
    expect(tiles.nth(0)).to_have_text("1")
    expect(tiles.nth(1)).to_have_text("1")


def see_the_charts_move(page: Page, client: Client) -> None:
    for _ in range(3):
        traffic(client, "headline", 20)
    areas = page.locator("#shares .area")
    expect(areas).to_have_count(3)
    before = areas.nth(2).get_attribute("d")
    traffic(client, "headline", 40)
    expect(page.locator("#tiles b").nth(0)).to_have_text("101")
    moved = "d => document.querySelectorAll('#shares .area')[2].getAttribute('d') !== d"
    page.wait_for_function(moved, arg=before)


def ask_why(page: Page) -> None:
    page.click("#last")
    expect(page.locator("#why table")).to_be_visible()
    expect(page.locator("#why")).to_contain_text("chosen by the policy")
    assert page.locator("#why tr.chosen").count() == 1


def press_the_kill_switch(page: Page) -> None:
    page.click("#kill")
    page.select_option("#killing select", "green")
    page.click("#killing button:not([type])")
    expect(page.locator("#status")).to_have_text("killed")
    expect(page.locator("#arms tr", has_text="green")).to_contain_text("100 %")
    page.click("#decide")
    expect(page.locator("#tried")).to_have_text("green, with probability 100 %")
    expect(page.locator("#history li").first).to_contain_text("everything falls on green")
    page.click("#pause")
    expect(page.locator("#status")).to_have_text("running")


def test_clicking_through(tmp_path: Path) -> None:
    with serving(tmp_path) as server, opened(allowed="status of 422") as page:
        hosts: set[str] = set()
        page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
        enter(page, server)
        expect(page.locator("#trouble")).to_contain_text("no experiment yet")
        create(page)
        decide_and_reward(page)
        see_the_charts_move(page, server.client())
        ask_why(page)
        page.click("#add")
        page.fill("#adding [name=arm]", "pink")
        page.click("#adding button:not([type])")
        expect(page.locator("#arms")).to_contain_text("pink")
        press_the_kill_switch(page)
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert hosts == {f"127.0.0.1:{server.port}"}


def test_a_wrong_key_and_markup_in_names(tmp_path: Path) -> None:
    with serving(tmp_path) as server, opened(allowed="status of 401") as page:
        arm = "<img src=x onerror=document.title=1>"
        server.client().post("", {"name": "x", "arms": [arm, "blue"], "policy": {"name": "exp3.s"}})
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.fill("#key", "db_wrong")
        page.click("#enter button")
        expect(page.locator("#trouble")).to_contain_text("Authorization must be")
        enter(page, server)
        expect(page.locator("#arms")).to_contain_text(arm)
        assert page.title() == "driftbandit"
        assert server.key not in page.url
        page.click("#leave")
        expect(page.locator("#enter")).to_be_visible()
        assert page.evaluate("sessionStorage.length") == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("board")) as running:
        yield running


def test_pages_let_a_browser_load_nothing_else(server: Server) -> None:
    client = server.client("")
    kinds = {name: kind.split(b"/")[1].decode() for name, kind in TYPES.items()}
    for path, file in {**FILES, "/docs": ".html"}.items():
        kind = kinds[file.rpartition(".")[2]]
        status, headers, content = client.raw("GET", path)
        assert (status, int(headers["content-length"])) == (200, len(content))
        assert headers["content-type"] == f"text/{kind}; charset=utf-8"
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert b"http://" not in content.replace(b"http://www.w3.org/2000/svg", b"")
        assert b"https://" not in content
        assert b"style=" not in content
    assert client.ask("POST", "/")[0] == 405


def test_the_docs_page_has_every_operation_and_its_links_lead_somewhere(server: Server) -> None:
    document = server.client("").ask("GET", "/openapi.json")[1]
    with opened() as page:
        page.goto(f"http://127.0.0.1:{server.port}/docs")
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                title = page.locator(f"#{operation['operationId']} h3")
                assert title.inner_text().split() == [method.upper(), path]
        for name in document["components"]["schemas"]:
            assert page.locator(f"article#{name}").count() == 1
        for link in page.locator("a").all():
            target = link.get_attribute("href") or ""
            assert not target.startswith("#") or page.locator(target).count() == 1, target
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_board_adds_up(server: Server) -> None:
    client = server.client()
    client.create("sums", holdout=0.5)
    for _ in range(6):
        traffic(client, "sums", 50)
    board = client.ask("GET", "/v1/experiments/sums/board/minutes")[1]
    lines = {line["arm"]: line for line in board["arms"]}
    table = client.raw("GET", "/v1/experiments/sums/export")[2].splitlines()
    rows = [json.loads(line) for line in table]
    for arm in ARMS:
        rewards = [row["reward"] for row in rows if row["arm"] == arm]
        line = lines[arm]
        assert (line["decisions"], line["rewards"]) == (len(rewards), len(rewards))
        assert line["mean"] == pytest.approx(sum(rewards) / len(rewards))
        shares = zip(*(lines[each]["share"] for each in ARMS), strict=True)
        assert all(sum(share) == pytest.approx(1.0) for share in shares)
        assert line["low"][-1] <= line["rate"][-1] <= line["high"][-1]
    assert sum(line["probability"] for line in board["arms"]) == pytest.approx(1.0)
    assert board["worth"]["decisions"] == 300
    assert board["worth"]["low"] < board["worth"]["difference"] < board["worth"]["high"]
    assert [each["id"] for each in board["recent"]] == [row["id"] for row in rows[:-9:-1]]
    for span in ("hour", "day", "month", "all"):
        other = client.ask("GET", f"/v1/experiments/sums/board/{span}")[1]
        assert sum(line["decisions"] for line in other["arms"]) == 300
    assert client.ask("GET", "/v1/experiments/sums/board/year")[0] == 404
