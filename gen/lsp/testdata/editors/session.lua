-- A session in Neovim, as a person would have it. It writes to $TRANSCRIPT what the person sees, and
-- continues whenever what it waits for has happened.

local transcript = io.open(vim.env.TRANSCRIPT, "w")

local function say(text)
  transcript:write(text, "\n")
  transcript:flush()
end

local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") end

local function finish(problem)
  say(problem or "end")
  transcript:close()
  vim.cmd(problem and "cquit!" or "qall!")
end

-- await waits until condition returns something, and returns it.
local function await(what, condition)
  return coroutine.yield({ what = what, condition = condition })
end

local limit = 120 * 1e9 -- nanoseconds that a session waits for one thing

-- run runs a session, with a timer that looks whether it can continue.
local function run(session)
  local timer = vim.loop.new_timer()
  local thread = coroutine.create(session)
  local waiting, since
  local function continue(value)
    local ok, next = coroutine.resume(thread, value)
    waiting, since = next, vim.loop.hrtime()
    if not ok or coroutine.status(thread) == "dead" then
      timer:stop()
      finish(not ok and tostring(next) or nil)
    end
  end
  timer:start(0, 20, vim.schedule_wrap(function()
    if not timer:is_active() then return end
    if not waiting then return continue() end
    local value = waiting.condition()
    if value then
      continue(value)
    elseif vim.loop.hrtime() - since > limit then
      timer:stop()
      local seen = vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0))
      finish(("timeout: %s\ntext:\n%s\ndiagnostics: %s"):format(waiting.what, text(), vim.inspect(seen)))
    end
  end))
end

-- type_keys types keys. They take effect when the session waits next.
local function type_keys(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), "t", false)
end

local function await_text(part)
  await("the text " .. part, function() return text():find(part, 1, true) end)
end

local function await_diagnostics(count)
  return await(count .. " diagnostics", function()
    local found = vim.diagnostic.get(0)
    return #found == count and found
  end)
end

-- choose answers the next menu with the entry that has a text.
local function choose(wanted)
  vim.ui.select = function(items, options, on_choice)
    for i, item in ipairs(items) do
      local title = options.format_item and options.format_item(item) or tostring(item)
      if title:find(wanted, 1, true) then
        return on_choice(item, i)
      end
    end
  end
end

run(function()
  vim.cmd("edit tools/notes.aion")
  say("type: " .. vim.bo.filetype)
  await("the server", function()
    local client = (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1]
    return client and client.initialized and vim.lsp.buf_is_attached(0, client.id)
  end)

  type_keys('4Gjo, {name --> "find_notes", function --> "FindNots" --> {arg-1 --> "string (words)", arg-2 --> "int | default=10"}}<Esc>')
  local ghost = await_diagnostics(1)[1]
  say(("line %d: %s"):format(ghost.lnum + 1, ghost.message:match("[^\n]*")))

  vim.fn.search("FindNots")
  choose("FindNotes")
  vim.lsp.buf.code_action()
  await_text('"FindNotes"')
  await_diagnostics(0)
  say("line 6: " .. vim.trim(vim.fn.getline(6)))

  type_keys('6Go, {name --> "remove", function --> "store.Rem<C-X><C-O>')
  await_text("store.Remove") -- the only match
  type_keys('" --> {arg-1 --> "string (which)"}}<Esc>')
  await_text('(which)"}}')
  say("line 7: " .. vim.trim(vim.fn.getline(7)))
  await_diagnostics(0)

  vim.fn.search("store.Remove", "b")
  vim.fn.search("Remove")
  vim.lsp.buf.definition()
  await("the Go file", function() return vim.fn.expand("%:t") == "store.go" end)
  say(("definition: %s:%d: %s"):format(vim.fn.expand("%:t"), vim.fn.line("."), vim.fn.getline(".")))

  vim.cmd("buffer notes.aion")
  vim.fn.cursor(1, 1)
  vim.fn.search('count"')
  vim.lsp.buf.rename("count_notes")
  await_text('"count_notes"')
  say("line 3: " .. vim.trim(vim.fn.getline(3)))
  vim.cmd("buffer store.go")
  await_text('"count_notes"')
  say("annotation: " .. vim.fn.getline(vim.fn.search("Annotate")))
  vim.cmd("buffer notes.aion")

  local format = vim.lsp.buf.format or vim.lsp.buf.formatting
  format()
  await_text('\n    name --> "remove"')
  await_diagnostics(0)
  say("formatted:\n" .. text())
  vim.cmd("wall")
end)
